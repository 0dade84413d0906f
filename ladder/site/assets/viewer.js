// Draws a replay: finished frames, unfolded from what ladder/site/packing.py wrote. It knows no rules of any game.
(function () {
  "use strict";

  var SVG = "http://www.w3.org/2000/svg";
  var LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  var DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
  var TIME_FIRST_MS = 0.01, TIME_STEP = 1.3;
  var RANKS = { T: "10", J: "jack", Q: "queen", K: "king", A: "ace" };
  var SUITS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
  var SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };
  var SHAPES = {
    C: "M50 8a20 20 0 0 1 17 31a20 20 0 1 1-13 33q1 14 12 20H34q11-6 12-20a20 20 0 1 1-13-33a20 20 0 0 1 17-31z",
    D: "M50 4q15 25 34 46q-19 21-34 46q-15-25-34-46q19-21 34-46z",
    H: "M50 92C22 66 8 50 8 32a22 22 0 0 1 42-9a22 22 0 0 1 42 9c0 18-14 34-42 60z",
    S: "M50 6c26 28 42 40 42 57a20 20 0 0 1-37 9q1 14 12 20H33q11-6 12-20a20 20 0 0 1-37-9c0-17 16-29 42-57z"
  };
  var ICONS = {
    start: "M2 2h2v12H2zM11 2v12L4.5 8zM18 2v12l-6.5-6z", back: "M14 2v12L6 8z", play: "M6 1.5v13L17 8z",
    pause: "M5 2h3.5v12H5zM11.5 2H15v12h-3.5z", forward: "M6 2v12l8-6z",
    end: "M16 2h2v12h-2zM9 2v12l6.5-6zM2 2v12l6.5-6z"
  };
  // Where the seats sit, clockwise from the bottom, by how many there are.
  var POSITIONS = {
    2: ["s", "n"], 3: ["s", "nw", "ne"], 4: ["s", "w", "n", "e"], 5: ["s", "w", "nw", "ne", "e"],
    6: ["s", "w", "nw", "n", "ne", "e"]
  };

  var ROLES = { TABLE: "table", THEAD: "rowgroup", TBODY: "rowgroup", TR: "row", TH: "columnheader", TD: "cell" };

  // In narrow windows it is laid out as cards; to screen readers it stays a table.
  document.querySelectorAll("table.result, table.result *").forEach(function (node) {
    if (ROLES[node.tagName]) node.setAttribute("role", ROLES[node.tagName]);
  });

  var root = document.getElementById("replay");
  if (!root || !window.REPLAY) return;
  if (!window.DecompressionStream) {
    root.textContent = "This browser is too old to unpack the replay; the score sheet below tells the match.";
    return;
  }
  inflate(window.REPLAY).then(function (text) { start(JSON.parse(text)); });

  // Base 85: five characters are four bytes; the last group may be shorter.
  function bytesOf(text) {
    var bytes = new Uint8Array(Math.floor(text.length * 4 / 5)), at = 0;
    for (var i = 0; i < text.length; i += 5) {
      var word = 0, length = Math.min(5, text.length - i);
      for (var j = 0; j < 5; j++) word = word * 85 + (j < length ? DIGITS.indexOf(text[i + j]) : 84);
      for (var k = 0; k < length - 1; k++) bytes[at++] = Math.floor(word / Math.pow(256, 3 - k)) & 255;
    }
    return bytes;
  }

  function inflate(text) {
    var stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Response(stream).text();
  }

  // ---- Unfolding -------------------------------------------------------------------------------------------------

  function letterTimes() {
    var times = {}, step = 0;
    for (var code = 35; code < 127; code++) {
      if (code !== 92) times[String.fromCharCode(code)] = TIME_FIRST_MS * Math.pow(TIME_STEP, step++);
    }
    return times;
  }

  // Frames of every deal; a frame holds copies, so that any can be drawn at any time.
  function unfold(replay) {
    var times = letterTimes();
    var points = replay.seats.map(function () { return 0; });
    return replay.deals.map(function (deal) {
      var frames = unfoldDeal(replay, deal, points, times);
      points = frames[frames.length - 1].points;
      return frames;
    });
  }

  function unfoldDeal(replay, deal, points, times) {
    var count = replay.seats.length, seats = replay.seats.map(function (_, seat) { return seat; });
    var cardAt = 0, numberAt = 0, actor = deal.d, frames = [], numbers = deal.n || [];
    var now = {
      at: replay.cards.map(function (_, card) { return replay.places[LETTERS.indexOf(deal.at[card])]; }),
      points: points, pot: null, tally: seats.map(function () { return 0; }), house: [], out: [], shown: [],
      known: {}
    };
    deal.f.forEach(function (number, index) {
      var shape = replay.shapes[number], before = now;
      function seat(relative) { return (relative + actor) % count; }
      function place(name) {
        return name.replace(/@(\d+)$/, function (_, relative) { return seat(+relative); });
      }
      function nextCard() { return LETTERS.indexOf(deal.c[cardAt++]); }
      now = {
        at: before.at.slice(), points: before.points, pot: before.pot, tally: before.tally.slice(),
        house: before.house.concat((shape.h || []).map(seat)), out: before.out.concat((shape.u || []).map(seat)),
        shown: before.shown.slice(), known: Object.assign({}, before.known), actor: index ? actor : null, moved: {},
        laid: [], gains: null, winner: shape.g === undefined ? null : seat(shape.g),
        turn: shape.t === undefined ? null : seat(shape.t),
        ms: (index && deal.ms && times[deal.ms[index - 1]]) || null, note: (deal.notes || {})[index] || null
      };
      (shape.s || []).forEach(function (sweep) {
        var from = place(sweep[0]), to = place(sweep[1]);
        before.at.forEach(function (where, card) {
          if (where !== from && where.indexOf(from + ".") !== 0) return;
          now.at[card] = to;
          if (/^hand/.test(to)) now.moved[card] = true;
        });
      });
      (shape.m || []).forEach(function (name) {
        var card = nextCard(), to = place(name);
        if (before.at[card] === "hand." + actor && !/^hand/.test(to)) now.laid.push(card);
        now.at[card] = to;
        now.moved[card] = true;
      });
      now.says = (shape.w || []).map(function (say) {
        var args = say.slice(1);
        return replay.words[say[0]].split(/(\{\w\})/).map(function (part) {
          if (part === "{a}") return { seat: actor };
          if (part === "{s}") return { seat: seat(args.shift()) };
          if (part === "{c}") return { card: nextCard() };
          if (part === "{p}") return { card: nextCard(), secret: true };
          if (part === "{n}") return { text: String(numbers[numberAt++]) };
          if (part === "{m}") return { cards: now.laid };
          return { text: part };
        });
      });
      for (var shown = shape.x || 0; shown; shown--) now.shown.push(nextCard());
      if (shape.p) {
        now.gains = seats.map(function () { return numbers[numberAt++]; });
        now.points = before.points.map(function (sum, each) { return sum + now.gains[each]; });
      }
      if (shape.o) now.pot = numbers[numberAt++];
      (shape.y || []).forEach(function (relative) { now.tally[seat(relative)]++; });
      // What lay open once is known wherever it goes.
      now.at.forEach(function (where, card) { if (!/^(hand|stock|gone)/.test(where)) now.known[card] = true; });
      now.shown.forEach(function (card) { now.known[card] = true; });
      if (now.turn !== null) actor = now.turn;
      frames.push(now);
    });
    return frames;
  }

  // ---- Elements --------------------------------------------------------------------------------------------------

  function make(tag, className, children) {
    var element = document.createElement(tag);
    if (className) element.className = className;
    [].concat(children === undefined ? [] : children).forEach(function (child) { element.append(child); });
    return element;
  }

  function button(label, text, action) {
    var element = make("button", "", text);
    element.type = "button";
    element.title = label;
    element.setAttribute("aria-label", label);
    element.addEventListener("click", action);
    return element;
  }

  function sprite() {
    var svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("class", "sprite");
    svg.setAttribute("aria-hidden", "true");
    Object.keys(SHAPES).forEach(function (suit) {
      var symbol = document.createElementNS(SVG, "symbol"), path = document.createElementNS(SVG, "path");
      symbol.id = "suit-" + suit;
      symbol.setAttribute("viewBox", "0 0 100 100");
      path.setAttribute("d", SHAPES[suit]);
      symbol.append(path);
      svg.append(symbol);
    });
    return svg;
  }

  function suitMark(suit) {
    var svg = document.createElementNS(SVG, "svg"), use = document.createElementNS(SVG, "use");
    svg.setAttribute("aria-hidden", "true");
    use.setAttribute("href", "#suit-" + suit);
    svg.append(use);
    return svg;
  }

  function icon(name) {
    var svg = document.createElementNS(SVG, "svg"), path = document.createElementNS(SVG, "path");
    svg.setAttribute("viewBox", "0 0 20 16");
    svg.setAttribute("aria-hidden", "true");
    path.setAttribute("d", ICONS[name]);
    svg.append(path);
    return svg;
  }

  // A number with a true minus sign.
  function num(number) { return String(number).replace("-", "−"); }

  function cardWords(name) { return (RANKS[name[0]] || name[0]) + " of " + SUITS[name[1]]; }

  function face(name, marks) {
    var card = make("span", "card " + name[1] + (marks ? " " + marks : ""), [
      make("b", "", name[0] === "T" ? "10" : name[0]), suitMark(name[1])
    ]);
    card.setAttribute("role", "img");
    card.setAttribute("aria-label", cardWords(name));
    card.title = cardWords(name);
    return card;
  }

  function back(label) {
    var card = make("span", "card back");
    card.setAttribute("role", "img");
    card.setAttribute("aria-label", label || "hidden card");
    return card;
  }

  function inline(name) {
    var card = make("span", "inline " + name[1], (name[0] === "T" ? "10" : name[0]) + SIGNS[name[1]] + "\ufe0e");
    card.setAttribute("role", "img");
    card.setAttribute("aria-label", cardWords(name));
    return card;
  }

  function shortTime(ms) { return ms < 1 ? ms.toPrecision(1) + " ms" : ms < 1000 ? Math.round(ms) + " ms" : (ms / 1000).toPrecision(2) + " s"; }

  // ---- The viewer ------------------------------------------------------------------------------------------------

  function start(replay) {
    replay.cards = replay.pack.split(" ");
    var deals = unfold(replay), seatCount = replay.seats.length;
    var at = { deal: 0, move: 0 }, viewer = null, timer = null, speedMs = 1000, written = "";
    var turning = +root.dataset.turning || 0;

    var felt = make("div", "felt"), title = make("h2", "where"), status = make("p", "said"), log = make("ol", "log");
    status.setAttribute("role", "status");
    var slider = make("input");
    slider.type = "range";
    slider.min = 0;
    slider.setAttribute("aria-label", "Move of the deal");
    slider.addEventListener("input", function () { go(at.deal, +slider.value); });

    var dealButtons = deals.map(function (_, deal) {
      var element = button("Deal " + (deal + 1) + ": " + replay.deals[deal].t, String(deal + 1), function () { go(deal, 0); });
      if (deal + 1 === turning) element.classList.add("turning");
      return element;
    });
    var playButton = button("Play (space)", icon("play"), play);
    var controls = make("div", "controls", [
      button("Start of the deal (Home)", icon("start"), function () { go(at.deal, 0); }),
      button("Back (arrow left)", icon("back"), function () { step(-1); }),
      playButton,
      button("Forward (arrow right)", icon("forward"), function () { step(1); }),
      button("End of the deal (End)", icon("end"), function () { go(at.deal, last(at.deal)); }),
      slider
    ]);
    playButton.classList.add("play");

    var hands = make("select", "", [make("option", "", "open")].concat(replay.seats.map(function (name, seat) {
      var option = make("option", "", "as " + name + " sees it");
      option.value = String(seat);
      return option;
    })));
    hands.firstChild.value = "";
    hands.addEventListener("change", function () {
      viewer = hands.value === "" ? null : +hands.value;
      list();
      draw();
    });
    var speed = make("select", "", [["2000", "slow"], ["1000", "normal"], ["350", "fast"]].map(function (pair) {
      var option = make("option", "", pair[1]);
      option.value = pair[0];
      return option;
    }));
    speed.value = "1000";
    speed.addEventListener("change", function () {
      speedMs = +speed.value;
      if (timer !== null) { stop(); play(); }
    });
    var four = make("input");
    four.type = "checkbox";
    four.checked = remembered("four") === "1";
    four.addEventListener("change", function () { remember("four", four.checked ? "1" : "0"); colours(); });
    var options = make("div", "options", [
      make("label", "", ["Hands ", hands]), make("label", "", ["Speed ", speed]),
      make("label", "check", [four, " four colours"])
    ]);
    var keys = make("details", "keys", [
      make("summary", "", "Keys"),
      make("p", "", "Left and right arrow: one move. Shift with them: one deal. Home and end: first and last move of the " +
        "deal. Space: play and pause. H: next hand to look into. The address holds deal and move, to be shared.")
    ]);

    var strip = make("div", "strip", dealButtons);
    strip.setAttribute("role", "group");
    strip.setAttribute("aria-label", "Deals");
    root.replaceChildren(
      sprite(), title, strip, make("div", "stage", [
        make("div", "play-area", [felt, status, controls]),
        make("div", "side", [log, options, keys])
      ])
    );

    root.after(sheet());

    function last(deal) { return deals[deal].length - 1; }

    function go(deal, move) {
      deal = Math.max(0, Math.min(deals.length - 1, deal));
      move = Math.max(0, Math.min(last(deal), move));
      var other = deal !== at.deal || !log.firstChild;
      at = { deal: deal, move: move };
      if (other) list();
      draw();
      written = "#d" + (deal + 1) + "m" + move;
      try { history.replaceState(null, "", written); } catch (error) { location.replace(written); }
    }

    // One move on or back, over the ends of deals; false where there is none.
    function step(by) {
      if (by > 0 && at.move === last(at.deal)) {
        if (at.deal === deals.length - 1) return false;
        go(at.deal + 1, 0);
      } else if (by < 0 && at.move === 0) {
        if (at.deal === 0) return false;
        go(at.deal - 1, last(at.deal - 1));
      } else go(at.deal, at.move + by);
      return true;
    }

    function play() {
      if (timer !== null) { stop(); return; }
      if (at.deal === deals.length - 1 && at.move === last(at.deal)) go(0, 0);
      timer = setInterval(function () { if (!step(1)) stop(); }, speedMs);
      label("Pause (space)", "pause");
    }

    function stop() {
      clearInterval(timer);
      timer = null;
      label("Play (space)", "play");
    }

    function label(words, sign) {
      playButton.title = words;
      playButton.setAttribute("aria-label", words);
      playButton.replaceChildren(icon(sign));
    }

    function fromHash() {
      var found = /^#d(\d+)(?:m(\d+))?$/.exec(location.hash);
      if (!found || location.hash === written) return false;
      go(+found[1] - 1, +(found[2] || 0));
      return true;
    }

    function colours() { root.classList.toggle("four", four.checked); }

    // ---- Words ----

    function mayKnow(frame, card, seat) {
      return viewer === null || seat === viewer || frame.known[card] === true;
    }

    function phrase(frame, parts) {
      var named = null;
      return parts.flatMap(function (part) {
        if (part.seat !== undefined) { named = part.seat; return [make("b", "", replay.seats[part.seat])]; }
        if (part.cards) return part.cards.flatMap(function (card, index) { return (index ? [" "] : []).concat(inline(replay.cards[card])); });
        if (part.card !== undefined) {
          return part.secret && !mayKnow(frame, part.card, named) ? [make("span", "quiet", "a card")] : [inline(replay.cards[part.card])];
        }
        return [part.text];
      });
    }

    function sentence(frame) {
      return frame.says.flatMap(function (parts, index) {
        return (index ? [". "] : []).concat(phrase(frame, parts));
      });
    }

    function list() {
      log.replaceChildren.apply(log, deals[at.deal].map(function (frame, move) {
        var line = make("button", "", sentence(frame));
        line.type = "button";
        if (frame.ms !== null) line.append(make("small", "", shortTime(frame.ms)));
        if (frame.note !== null) line.append(make("q", "", frame.note));
        line.addEventListener("click", function () { go(at.deal, move); });
        return make("li", frame.actor !== null && frame.house.indexOf(frame.actor) >= 0 ? "house" : "", line);
      }));
    }

    // ---- The table ----

    function draw() {
      var deal = replay.deals[at.deal], frame = deals[at.deal][at.move];
      title.replaceChildren("Deal " + (at.deal + 1) + " of " + deals.length,
        make("small", "", (at.move || deal.l === "bouts" ? deal.t + " · " : "") + "move " + at.move + " of " + last(at.deal)));
      slider.max = last(at.deal);
      slider.value = at.move;
      slider.setAttribute("aria-valuetext", "move " + at.move + " of " + last(at.deal));
      dealButtons.forEach(function (element, index) {
        if (index === at.deal) element.setAttribute("aria-current", "true");
        else element.removeAttribute("aria-current");
      });
      Array.prototype.forEach.call(log.children, function (line, index) {
        if (index === at.move) line.setAttribute("aria-current", "step");
        else line.removeAttribute("aria-current");
      });
      var current = log.children[at.move];
      log.scrollTop = current.offsetTop - log.clientHeight / 2 + current.clientHeight / 2;
      status.replaceChildren.apply(status, sentence(frame).concat("."));
      if (frame.ms !== null) status.append(make("small", "", " thought for about " + shortTime(frame.ms)));
      if (frame.note !== null) status.append(make("q", "", frame.note));
      felt.className = "felt seats-" + seatCount + " " + deal.l;
      felt.replaceChildren.apply(felt, replay.seats.map(function (name, seat) {
        return seatPanel(deal, frame, name, seat);
      }).concat(center(deal, frame)));
    }

    function cardsAt(frame, place) {
      var found = [];
      frame.at.forEach(function (where, card) { if (where === place) found.push(card); });
      return found;
    }

    function marks(frame, card) {
      return (frame.moved[card] ? "fresh" : "") + (frame.shown.indexOf(card) >= 0 ? " shown" : "");
    }

    function seatPanel(deal, frame, name, seat) {
      var facts = [];
      if (deal.d === seat) facts.push(make("span", "tag", "dealer"));
      if (frame.house.indexOf(seat) >= 0) facts.push(make("span", "tag fault", "house plays"));
      if (frame.out.indexOf(seat) >= 0) facts.push(make("span", "tag", "out"));
      if (deal.y) facts.push(make("span", "tag", frame.tally[seat] + " " + (frame.tally[seat] === 1 ? deal.y.replace(/s$/, "") : deal.y)));
      var gain = frame.gains && frame.gains[seat] ? " " + (frame.gains[seat] > 0 ? "+" : "−") + Math.abs(frame.gains[seat]) : "";
      var hand = make("span", "hand", cardsAt(frame, "hand." + seat).map(function (card) {
        return mayKnow(frame, card, seat) ? face(replay.cards[card], marks(frame, card)) : back();
      }));
      var panel = make("section", "seat at-" + POSITIONS[seatCount][seat], [
        make("header", "", [make("b", "", name), make("span", "points", [num(frame.points[seat]), gain ? make("i", "", gain) : ""])]),
        make("p", "facts", facts), hand
      ]);
      panel.setAttribute("aria-label", name + ", " + frame.points[seat] + " " + replay.unit);
      if (frame.turn === seat) panel.classList.add("turn");
      if (frame.winner === seat) panel.classList.add("winner");
      return panel;
    }

    function center(deal, frame) {
      if (deal.l === "domino" && at.move > 0) return domino(deal, frame);
      return deal.l === "bouts" ? bout(frame) : trick(frame);
    }

    function trick(frame) {
      return make("div", "center trick", replay.seats.map(function (_, seat) {
        var cards = cardsAt(frame, "table." + seat).map(function (card) {
          return face(replay.cards[card], frame.winner === seat ? "wins" : marks(frame, card));
        });
        return make("span", "slot to-" + POSITIONS[seatCount][seat], cards);
      }));
    }

    function domino(deal, frame) {
      var rows = ["C", "D", "H", "S"].map(function (suit) {
        return make("div", "row", deal.o.split("").map(function (rank) {
          var card = replay.cards.indexOf(rank + suit);
          if (frame.at[card] === "layout") return face(replay.cards[card], marks(frame, card));
          return make("span", "card empty");
        }));
      });
      return make("div", "center layout", rows);
    }

    function bout(frame) {
      var stock = cardsAt(frame, "stock").length, upcard = cardsAt(frame, "upcard");
      var trump = upcard.length ? upcard[0] : frame.at.length ? replay.cards.findIndex(function (_, card) { return deals[at.deal][0].at[card] === "upcard"; }) : -1;
      var pile = make("div", "pile", [
        upcard.length ? face(replay.cards[upcard[0]], "upcard") : "",
        stock ? back(stock + " cards in the stock") : "",
        make("small", "", stock + upcard.length ? "stock " + (stock + upcard.length) : "no stock"),
        make("small", "trump " + replay.cards[trump][1], ["trumps ", suitMark(replay.cards[trump][1])])
      ]);
      var pairs = [0, 1].map(function (number) {
        return make("span", "pair", cardsAt(frame, "attack." + number).concat(cardsAt(frame, "cover." + number)).map(function (card) {
          return face(replay.cards[card], marks(frame, card));
        }));
      });
      var pot = make("div", "pot", [make("small", "", "pot"), make("b", "", num(frame.pot))]);
      return make("div", "center bout", [pile, make("div", "pairs", pairs), pot]);
    }

    function sheet() {
      var head = make("tr", "", [make("th", "", "Deal"), make("td")].concat(replay.seats.map(function (name) { return make("th", "", name); })));
      var rows = replay.deals.map(function (deal, index) {
        var before = index ? deals[index - 1][last(index - 1)].points : null, after = deals[index][last(index)].points;
        var link = make("a", "", String(index + 1));
        link.href = "#d" + (index + 1);
        return make("tr", index + 1 === turning ? "turning" : "", [make("td", "", link), make("td", "", [deal.t, deal.e ? make("small", "", " " + deal.e) : ""])].concat(
          after.map(function (points, seat) {
            var gained = before ? points - before[seat] : points;
            var cell = make("td", seat === deal.d ? "dealer" : "", gained ? num(gained) : "·");
            if (seat === deal.d) cell.title = "dealer";
            return cell;
          })
        ));
      });
      var sums = make("tr", "", [make("td"), make("th", "", "Sum")].concat(deals[deals.length - 1][last(deals.length - 1)].points.map(function (sum) { return make("th", "", num(sum)); })));
      var table = make("table", "sheet", [make("thead", "", head), make("tbody", "", rows), make("tfoot", "", sums)]);
      return make("section", "", [make("h2", "", "Score sheet"), make("div", "scroll", table), make("p", "small", "Who dealt is underlined.")]);
    }

    // ---- Keys, address, memory ----

    document.addEventListener("keydown", function (event) {
      if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
      var own = root.contains(event.target) || event.target === document.body;
      if (event.key === "ArrowRight") event.shiftKey ? go(at.deal + 1, 0) : step(1);
      else if (event.key === "ArrowLeft") event.shiftKey ? go(at.deal - (at.move ? 0 : 1), 0) : step(-1);
      else if (event.key === "Home" && own) go(at.deal, 0);
      else if (event.key === "End" && own) go(at.deal, last(at.deal));
      else if (event.key === " " && own && event.target.tagName !== "BUTTON" && event.target.tagName !== "SUMMARY") play();
      else if ((event.key === "h" || event.key === "H") && own) {
        hands.selectedIndex = (hands.selectedIndex + 1) % hands.options.length;
        hands.dispatchEvent(new Event("change"));
      } else return;
      event.preventDefault();
    });
    window.addEventListener("hashchange", function () {
      if (fromHash()) root.scrollIntoView({ block: "start" });
    });

    colours();
    if (!fromHash()) { list(); draw(); }
    root.classList.add("ready");
  }

  function remembered(name) { try { return localStorage.getItem("cardarena." + name); } catch (error) { return null; } }
  function remember(name, value) { try { localStorage.setItem("cardarena." + name, value); } catch (error) { /* private windows */ } }
})();

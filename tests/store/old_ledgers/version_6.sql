PRAGMA application_id=1128354372;
PRAGMA user_version=6;
BEGIN TRANSACTION;
CREATE TABLE cups (
        cup TEXT PRIMARY KEY,
        created_unix_ns INTEGER NOT NULL
    ) STRICT
    ;
INSERT INTO "cups" VALUES('cup',1777000000000000001);
CREATE TABLE entries (
        entry_key INTEGER PRIMARY KEY,
        round_key INTEGER NOT NULL REFERENCES rounds,
        position INTEGER NOT NULL,   -- the schedule's index
        label TEXT NOT NULL,
        name TEXT NOT NULL,
        version TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        team TEXT NOT NULL,
        rated INTEGER NOT NULL CHECK (rated IN (0, 1)),
        role TEXT NOT NULL CHECK (role IN ('bot', 'house', 'fill')),
        bank_ns INTEGER,             -- NULL, as the next two: the cup's clock
        increment_ns INTEGER,
        decision_ns INTEGER, anchor_elo REAL,
        UNIQUE (round_key, label),
        UNIQUE (round_key, position)
    ) STRICT
    ;
INSERT INTO "entries" VALUES(1,1,0,'ant','ant','1.0','abababababababababababababababababababababababababababababababab','ant',1,'bot',NULL,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(2,1,1,'bee','bee','1.0','abababababababababababababababababababababababababababababababab','bee',1,'bot',NULL,NULL,NULL,1500.0);
INSERT INTO "entries" VALUES(3,1,2,'cat','cat','1.0','abababababababababababababababababababababababababababababababab','cat',1,'bot',NULL,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(4,1,3,'dog','dog','1.0','abababababababababababababababababababababababababababababababab','dog',1,'bot',NULL,NULL,NULL,NULL);
CREATE TABLE match_seats (
        match_key INTEGER NOT NULL REFERENCES matches,
        seat INTEGER NOT NULL,
        entry_key INTEGER NOT NULL REFERENCES entries,
        place INTEGER NOT NULL,
        points INTEGER NOT NULL,
        fault TEXT,                  -- kind of the seat's fault
        PRIMARY KEY (match_key, seat)
    ) STRICT, WITHOUT ROWID
    ;
INSERT INTO "match_seats" VALUES(1000000001,0,1,1,10,NULL);
INSERT INTO "match_seats" VALUES(1000000001,1,2,2,20,NULL);
INSERT INTO "match_seats" VALUES(1000000001,2,3,3,30,NULL);
INSERT INTO "match_seats" VALUES(1000000001,3,4,4,40,'crashed');
CREATE TABLE matches (
        match_key INTEGER PRIMARY KEY,
        block INTEGER NOT NULL,
        rotation INTEGER NOT NULL
    ) STRICT
    ;
INSERT INTO "matches" VALUES(1000000001,1,1);
CREATE TABLE records (
        match_key INTEGER PRIMARY KEY REFERENCES matches,
        record BLOB NOT NULL,        -- the JSON line, zlib
        sha256 BLOB NOT NULL,        -- of the record's identity
        times BLOB NOT NULL,         -- harness.store.times
        notes BLOB                   -- JSON, zlib; NULL: none
    ) STRICT
    ;
INSERT INTO "records" VALUES(1000000001,X'5847BD525D4FC3300C14FFA4F2F3B4B58301DA2BFC01C4E3344D6E62B668593D25293055FBEFD869CBD833827E4839DF39E736D74120C3C1C2B2A826051C30999DACC1B4C759352BF5AA6092F1505614B86DC696DAB3D92B7711074E981C3783628B0752C1B675DE73720D6551EB296EDE29C45E09B9958FDA18057767819130295875507352153649753FFBA6A556E20EE78BFB2CA97F7783387FFBD594A7FD373F83FFFB7D96B77FEFB796FDDE5C886963093D05D9B5949282E1742DF5217A782A1E9F8B97579DE04A8B660CC60A0C3729486119F8843E9D6E44AF1647764D1F17E9B895579F7576BF509514E7037F5766CEA3A19E134A1821F2C4D8FA317D1A445909057B97B30F2660DC911D27BD9A13FAE45B4AE89401FA74A9306CA9A8FADF71104A880E3ED0FB8DBA94D3F9E27CFE02F5C517AC',X'49000BFD0122A67270CA706BD0E2706FB2B676573C4FEF81E133B6E93B83C903',X'01789C636400025606086004620000620008',X'789C8B8E36D05130D45130D251504A294DCE2E568A8D050031D70546');
CREATE TABLE rounds (
        round_key INTEGER PRIMARY KEY,
        cup TEXT NOT NULL REFERENCES cups,
        round INTEGER NOT NULL CHECK (round >= 1),
        settings TEXT NOT NULL,      -- canonical JSON
        schedule_sha256 TEXT NOT NULL,
        commitment TEXT NOT NULL,
        secret BLOB,                 -- NULL: not known here
        started_unix_ns INTEGER NOT NULL,
        ended_unix_ns INTEGER,
        revealed_unix_ns INTEGER CHECK (revealed_unix_ns IS NULL OR ended_unix_ns IS NOT NULL), budget TEXT,
        UNIQUE (cup, round)
    ) STRICT
    ;
INSERT INTO "rounds" VALUES(1,'cup',1,'{"cup":{}}','cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd','efefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefef',X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F',1777000000000000001,1777000000000000002,1777000000000000003,'{"matches":12}');
CREATE TABLE rulings (
        ruling INTEGER PRIMARY KEY,  -- its number, as people name it
        kind TEXT NOT NULL CHECK (kind IN ('void', 'withdraw', 'failure')),
        round_key INTEGER NOT NULL REFERENCES rounds,
        number INTEGER,              -- void, failure: of the match that it is about
        block INTEGER,               -- void, failure: what counts no more
        entry_key INTEGER REFERENCES entries, -- withdraw
        reason TEXT NOT NULL,
        at_unix_ns INTEGER NOT NULL,
        undone_unix_ns INTEGER,
        CHECK ((kind = 'withdraw') = (block IS NULL) AND (kind = 'withdraw') = (entry_key IS NOT NULL)
            AND (block IS NULL) = (number IS NULL))
    ) STRICT
    ;
INSERT INTO "rulings" VALUES(1,'void',1,1,1,NULL,'cards were seen',1777000000000000000,NULL);
CREATE TABLE versions (
        name TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        version TEXT NOT NULL,
        team TEXT NOT NULL,
        tree TEXT NOT NULL,          -- the staged copy, relative to the home
        manifest TEXT NOT NULL,      -- bot.toml as canonical JSON
        stored_unix_ns INTEGER NOT NULL,
        submitted_unix_ns INTEGER,   -- NULL: only pinned by a cup
        verdict TEXT,
        retired_unix_ns INTEGER, match_think_ns INTEGER,
        PRIMARY KEY (name, sha256)
    ) STRICT
    ;
INSERT INTO "versions" VALUES('ant','abababababababababababababababababababababababababababababababab','1.0','ant','bots/ant/1.0-abababababab','{}',1777000000000000000,1777000000000000000,NULL,NULL,125);
CREATE TABLE withdrawals (
        withdrawal_key INTEGER PRIMARY KEY,
        entry_key INTEGER NOT NULL UNIQUE REFERENCES entries,
        kind TEXT NOT NULL,
        detail TEXT NOT NULL,
        at_unix_ns INTEGER NOT NULL
    ) STRICT
    ;
INSERT INTO "withdrawals" VALUES(1,4,'start','no Hello',1777000000000000000);
COMMIT;

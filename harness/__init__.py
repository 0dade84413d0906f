"""The tournament runner: authoritative card games, the referee, bots over gRPC, cups."""

-- One file for any number of experiments. A finished match is one row of match and one row of seat for each player,
-- written in one transaction and never changed: the triggers refuse it.

CREATE TABLE game (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);

-- Full text forms, each kept once; hash is the SHA-256 of the text.
CREATE TABLE search (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, text TEXT NOT NULL);

-- Version of the code, kind of machine.
CREATE TABLE origin (id INTEGER PRIMARY KEY, version TEXT NOT NULL, machine TEXT NOT NULL, UNIQUE (version, machine));

CREATE TABLE match (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL UNIQUE CHECK (length(key) = 32),  -- SHA-256 of all that determines the match
    game INTEGER NOT NULL REFERENCES game,
    seed INTEGER NOT NULL,
    opening INTEGER NOT NULL,
    reuse INTEGER NOT NULL,
    length INTEGER NOT NULL,
    cut INTEGER NOT NULL,
    actions BLOB NOT NULL,                              -- JSON list, compressed by zlib; a list inside for joint actions
    origin INTEGER NOT NULL REFERENCES origin,
    finished INTEGER NOT NULL,                          -- seconds since 1970, UTC
    score REAL,                                         -- the points of who played alone; NULL where there are none
    digest BLOB                                         -- of the numbers of the match and its seats; NULL in old records
);

CREATE TABLE seat (
    match INTEGER NOT NULL REFERENCES match,
    player INTEGER NOT NULL,
    search INTEGER NOT NULL REFERENCES search,
    returns REAL NOT NULL,
    moves INTEGER NOT NULL,
    simulations INTEGER NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (match, player)
) WITHOUT ROWID;

-- What was asked, as resolved cells in JSON, and the file as it was. The newest row of a name counts.
CREATE TABLE experiment (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    definition TEXT NOT NULL,
    source TEXT NOT NULL,
    stored INTEGER NOT NULL,
    digest BLOB                                         -- of the row; NULL in old records
);

-- What came out when a match was played again: the last time, by which version, and the hash of all that.
CREATE TABLE replay (
    match INTEGER PRIMARY KEY REFERENCES match,
    same INTEGER NOT NULL,
    engine TEXT NOT NULL,
    hash BLOB NOT NULL
);

-- Who is playing what just now. These rows come and go.
CREATE TABLE run (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    host TEXT NOT NULL,                                 -- hashed
    process INTEGER NOT NULL,
    began TEXT NOT NULL,                                -- when the process began, to tell it from one with its number
    heartbeat REAL NOT NULL
);

CREATE TABLE claim (key BLOB PRIMARY KEY, run INTEGER NOT NULL REFERENCES run) WITHOUT ROWID;

-- REPLACE deletes without asking the triggers for DELETE, hence those for INSERT.
CREATE TRIGGER match_update BEFORE UPDATE ON match
    BEGIN SELECT RAISE(ABORT, 'finished matches are immutable'); END;
CREATE TRIGGER match_delete BEFORE DELETE ON match
    BEGIN SELECT RAISE(ABORT, 'finished matches are immutable'); END;
CREATE TRIGGER match_insert BEFORE INSERT ON match WHEN EXISTS (SELECT 1 FROM match WHERE id = NEW.id OR key = NEW.key)
    BEGIN SELECT RAISE(ABORT, 'finished matches are immutable'); END;
CREATE TRIGGER seat_update BEFORE UPDATE ON seat
    BEGIN SELECT RAISE(ABORT, 'finished matches are immutable'); END;
CREATE TRIGGER seat_delete BEFORE DELETE ON seat
    BEGIN SELECT RAISE(ABORT, 'finished matches are immutable'); END;
CREATE TRIGGER seat_insert BEFORE INSERT ON seat WHEN EXISTS (SELECT 1 FROM seat WHERE match = NEW.match AND player = NEW.player)
    BEGIN SELECT RAISE(ABORT, 'finished matches are immutable'); END;
CREATE TRIGGER game_update BEFORE UPDATE ON game
    BEGIN SELECT RAISE(ABORT, 'stored texts are immutable'); END;
CREATE TRIGGER game_delete BEFORE DELETE ON game
    BEGIN SELECT RAISE(ABORT, 'stored texts are immutable'); END;
CREATE TRIGGER game_insert BEFORE INSERT ON game WHEN EXISTS (SELECT 1 FROM game WHERE id = NEW.id OR text = NEW.text)
    BEGIN SELECT RAISE(ABORT, 'stored texts are immutable'); END;
CREATE TRIGGER search_update BEFORE UPDATE ON search
    BEGIN SELECT RAISE(ABORT, 'stored texts are immutable'); END;
CREATE TRIGGER search_delete BEFORE DELETE ON search
    BEGIN SELECT RAISE(ABORT, 'stored texts are immutable'); END;
CREATE TRIGGER search_insert BEFORE INSERT ON search WHEN EXISTS (SELECT 1 FROM search WHERE id = NEW.id OR hash = NEW.hash)
    BEGIN SELECT RAISE(ABORT, 'stored texts are immutable'); END;
CREATE TRIGGER origin_update BEFORE UPDATE ON origin
    BEGIN SELECT RAISE(ABORT, 'stored texts are immutable'); END;
CREATE TRIGGER origin_delete BEFORE DELETE ON origin
    BEGIN SELECT RAISE(ABORT, 'stored texts are immutable'); END;
CREATE TRIGGER origin_insert BEFORE INSERT ON origin WHEN EXISTS (SELECT 1 FROM origin WHERE id = NEW.id OR (version = NEW.version AND machine = NEW.machine))
    BEGIN SELECT RAISE(ABORT, 'stored texts are immutable'); END;
CREATE TRIGGER experiment_update BEFORE UPDATE ON experiment
    BEGIN SELECT RAISE(ABORT, 'stored experiments are immutable'); END;
CREATE TRIGGER experiment_delete BEFORE DELETE ON experiment
    BEGIN SELECT RAISE(ABORT, 'stored experiments are immutable'); END;
CREATE TRIGGER experiment_insert BEFORE INSERT ON experiment WHEN EXISTS (SELECT 1 FROM experiment WHERE id = NEW.id)
    BEGIN SELECT RAISE(ABORT, 'stored experiments are immutable'); END;

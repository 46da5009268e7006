"""General game playing over HTTP: a player for game servers, and a server for players."""

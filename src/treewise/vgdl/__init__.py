"""Video games described in VGDL."""

"""One hand as pure values: its record, edits, score and open questions."""

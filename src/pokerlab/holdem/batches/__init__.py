"""Batches: one spot solved on many boards, its solutions in one folder.

A batch is a folder::

    FOLDER/
      batch.toml                     spot, boards and settings, with a digest (`question`)
      table.csv                      a row for each board that is finished (`rows`)
      solutions/
        AsKh7d.safetensors           the solution: whole, without rivers, or its first street
        AsKh7d.json                  its row of the table
      first_street/
        AsKh7d.jsonl                 what happens at all decisions of its first street
      lines/
        x%2Fb33.jsonl                what all boards say about a line, once it was asked for

`run_batch` solves what is missing, as many boards at a time as memory allows (`plan`); however it
ends, the same call goes on from there, and several share the work. `report_boards` puts what
happens at a line on all boards into one table.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""Writes a page that shows results as a notebook does: the HTML of each becomes that of an output area.

    python3 tests/web/notebook.py PAGE

Three outputs: a run, a run of another model, and a model.
"""

import json
import sys

import drystone as dry

drift = dry.load("models/papers/xiong2013/fig03-drift.dry")
block = dry.load("models/hello.dry")
outputs = [drift.run()._repr_html_(), block.run()._repr_html_(), drift._repr_html_()]
cells = "".join('<div class="jp-OutputArea-child"><div class="jp-RenderedHTMLCommon jp-OutputArea-output"></div></div>\n'
                for _ in outputs)
shown = json.dumps(outputs).replace("<", "\\u003c")
with open(sys.argv[1], "w", encoding="utf-8") as page:
    page.write(f"""<!DOCTYPE html><html><head><meta charset="utf-8"><link rel="icon" href="data:,">
<style>body {{ font: 14px sans-serif; margin: 1rem 3rem; }}</style></head><body>
{cells}<script>
const outputs = {shown};
document.querySelectorAll(".jp-OutputArea-output").forEach((area, k) => {{ area.innerHTML = outputs[k]; }});
</script></body></html>
""")

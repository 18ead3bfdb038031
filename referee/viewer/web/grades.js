// The pages of grades: the report of one submission, or the table of a class.

import { classTable } from "./class.js";
import { unpackJson } from "./data.js";
import { report } from "./report.js";

async function open() {
  const data = await unpackJson("data");
  document.body.classList.add(data.rows ? "class" : "one");
  document.body.append(...(data.rows ? classTable(data) : report(data)));
  performance.mark("drawn");
}

open();

"use strict";
(() => {
	const FIRST = 40;
	const find = (id) => document.getElementById(id);
	const table = find("functions");
	if (!table)
		return;
	const body = table.tBodies[0];
	const rows = [...body.rows]; // as written, whatever their order now
	const filter = find("filter");
	const more = find("more");
	const shown = find("shown");
	const names = new Map(rows.map((row) => [row,
		(row.cells[5].textContent + " " + row.cells[6].textContent)
			.toLowerCase()]));
	let all = false;

	const show = () => {
		const words = filter.value.toLowerCase().split(/\s+/);
		let matching = 0;

		for (const row of body.rows) {
			const match = words.every(
				(word) => names.get(row).includes(word));

			matching += match;
			row.hidden = !match || (!all && matching > FIRST);
		}
		const visible = all ? matching : Math.min(matching, FIRST);
		shown.textContent = `${visible} of ${rows.length} rows`;
		more.hidden = visible === matching;
		more.textContent = `Show all ${matching} rows`;
	};

	const value = (row, column) => {
		const text = row.cells[column].textContent;

		return column < 5 ? parseFloat(text) || 0 : text;
	};

	const sort = (head, column) => {
		const before = head.getAttribute("aria-sort");
		const rises = before ? before === "descending" : column > 4;
		const sign = rises ? 1 : -1;
		const sorted = rows.map((row, i) => [value(row, column), i, row]);

		sorted.sort((a, b) => (a[0] < b[0] ? -sign : a[0] > b[0] ? sign :
			a[1] - b[1]));
		body.append(...sorted.map((entry) => entry[2]));
		for (const other of head.parentNode.cells)
			other.removeAttribute("aria-sort");
		head.setAttribute("aria-sort", rises ? "ascending" : "descending");
		show();
	};

	[...table.tHead.rows[0].cells].forEach((head, column) => {
		const button = document.createElement("button");

		button.type = "button";
		button.append(...head.firstElementChild.childNodes);
		button.addEventListener("click", () => sort(head, column));
		head.replaceChildren(button);
	});
	filter.addEventListener("input", show);
	filter.addEventListener("keydown", (event) => {
		if (event.key === "Escape") {
			filter.value = "";
			show();
		}
	});
	document.addEventListener("keydown", (event) => {
		if (event.key === "/" && document.activeElement !== filter) {
			event.preventDefault();
			filter.focus();
		}
	});
	more.addEventListener("click", () => {
		all = true;
		show();
	});
	document.addEventListener("click", (event) => {
		const part = event.target.closest("rect[data-f]");

		if (!part)
			return;
		filter.value = rows[part.dataset.f].cells[6].textContent;
		show();
		filter.scrollIntoView({ block: "center" });
		filter.focus();
	});

	const open = () => {
		const target = location.hash && find(location.hash.slice(1));

		if (target && target.tagName === "DETAILS")
			target.open = true;
	};

	addEventListener("hashchange", open);
	addEventListener("beforeprint", () => {
		for (const row of rows.slice(0, 200))
			row.hidden = false;
	});
	addEventListener("afterprint", show);
	find("tools").hidden = false;
	open();
	show();
})();

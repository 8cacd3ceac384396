// Looks a position up and lists its moves, best first.
const form = document.querySelector("#ask");
const moves = document.querySelector("#moves");
const says = document.querySelector("#says");

async function ask() {
  const answer = await fetch("/api/v1/position?" + new URLSearchParams(new FormData(form)));
  const position = await answer.json();
  moves.replaceChildren(...(position.moves ?? []).map((move) => {
    const row = document.createElement("tr");
    for (const text of [move.move, move.value, move.loss]) {
      const cell = document.createElement("td");
      cell.textContent = text ?? "unknown";
      row.append(cell);
    }
    return row;
  }));
  says.textContent = position.error ?? `value ${position.value}, ${position.category}`;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  ask();
});
ask();

/** One line of the table: what is wanted, what it was. */
export interface Line {
  what: string;
  /** Null: shown for its own sake. */
  goal: { atLeast: number } | { atMost: number } | null;
  figure: number;
  unit: string;
  /** How the figure was measured. */
  detail: string;
}

export function isMet({ goal, figure }: Line): boolean | null {
  if (goal === null) return null;
  return 'atLeast' in goal ? figure >= goal.atLeast : figure <= goal.atMost;
}

export function printTable(lines: readonly Line[]): void {
  const rows = lines.map((line) => {
    const met = isMet(line);
    const goal = line.goal === null ? '' : 'atLeast' in line.goal ? `≥ ${line.goal.atLeast}` : `≤ ${line.goal.atMost}`;
    const verdict = met === null ? '' : met ? 'met' : 'missed';
    return [line.what, `${line.figure.toFixed(2)} ${line.unit}`, goal, verdict, line.detail];
  });
  const head = ['', 'figure', 'goal', '', 'behind it'];
  const widths = head.map((cell, i) => Math.max(cell.length, ...rows.map((row) => row[i]?.length ?? 0)));
  for (const row of [head, ...rows])
    console.log(
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

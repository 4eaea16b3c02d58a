import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { formatAmount } from '@causeway/contract/money.ts';
import { withJoinedKey } from './platform/process/joined-key.ts';
import { type SolvencyVerdict, verifySolvency } from './platform/solvency/verify.ts';

const usage = 'Usage: npm run solvency:verify -- FILE [--key=PUBLIC_KEY]';

/** Verifies a proof of reserves off-line, a company's or the operator's full one: what it shows, or the first thing wrong; then exit code 1. */
function main(): void {
  const { values, positionals } = parseArgs({
    args: withJoinedKey(process.argv.slice(2)),
    options: { key: { type: 'string' } },
    allowPositionals: true,
  });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new Error(usage);
  const verdict = verifySolvency(readFileSync(file, 'utf8'), values.key ?? null);
  for (const line of linesOf(verdict, values.key !== undefined)) process.stdout.write(`${line}\n`);
  if (!verdict.holds) process.exitCode = 1;
}

function linesOf(verdict: SolvencyVerdict, isKeyKnown: boolean): string[] {
  if (!verdict.holds) return [`solvency: does not hold: ${verdict.problem}`];
  const { statement, company, signedAt, publicKey } = verdict;
  const amount = (minor: bigint, decimals: number, asset: string) => `${formatAmount(minor, decimals)} ${asset}`;
  const counted = company?.counted.map(({ minor, decimals, asset }) => amount(minor, decimals, asset));
  return [
    `solvency: the report of ${statement.day} (${statement.at}), signed ${signedAt}, holds`,
    ...(company && counted
      ? [`company ${company.id} was counted with ${counted.length === 0 ? 'nothing owed' : counted.join(', ')}`]
      : [`all ${statement.companies} companies add up to what the report says is owed`]),
    ...statement.assets.map(
      ({ asset, decimals, owed, held, difference }) =>
        `${asset}: owed ${formatAmount(BigInt(owed), decimals)}, held ${formatAmount(BigInt(held), decimals)}, difference ${formatAmount(BigInt(difference), decimals)}`,
    ),
    ...(isKeyKnown
      ? []
      : [
          `The file's own key was believed: ${publicKey}`,
          "Compare it with the operator's, or name it: --key=PUBLIC_KEY",
        ]),
  ];
}

try {
  main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

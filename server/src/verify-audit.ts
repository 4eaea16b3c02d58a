import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { verifyExport } from './platform/audit/verify.ts';
import { withJoinedKey } from './platform/process/joined-key.ts';

const usage = 'Usage: npm run audit:verify -- FILE [--key=PUBLIC_KEY]';

/** Verifies an exported audit log off-line: says that it is whole, or names the first broken link; then exit code 1. */
async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const { values, positionals } = parseArgs({
    args: withJoinedKey(args),
    options: { key: { type: 'string' } },
    allowPositionals: true,
  });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new Error(usage);
  const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY });
  const verdict = await verifyExport(lines, values.key ?? null);
  if (!verdict.whole) {
    const where = verdict.seq === null ? `line ${verdict.line}` : `event ${verdict.seq}, line ${verdict.line}`;
    process.stdout.write(`audit: broken at ${where}: ${verdict.problem}\n`);
    process.exitCode = 1;
    return;
  }
  const { company, fromSeq, toSeq, signedAt, publicKey } = verdict;
  process.stdout.write(`audit: company ${company}, events ${fromSeq} to ${toSeq} are whole, signed ${signedAt}\n`);
  if (values.key === undefined) {
    process.stdout.write(
      `The file's own key was believed: ${publicKey}\nCompare it with the operator's, or name it: --key=PUBLIC_KEY\n`,
    );
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

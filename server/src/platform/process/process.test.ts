import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

/** Runs a program that meets an error which no code catches. */
async function run(statement: string): Promise<{ code: number; output: string }> {
  const program = `
    import { createLog } from '${import.meta.dirname}/log.ts';
    import { exitOnUncaught } from '${import.meta.dirname}/process.ts';
    exitOnUncaught(createLog('test', 'info'));
    setInterval(() => undefined, 1000);
    ${statement}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
  const output = text(child.stdout);
  const [code] = await once(child, 'exit');
  return { code, output: await output };
}

test.each([
  ['an exception', "setTimeout(() => { throw new Error('lost') }, 1)"],
  ['a rejection', "void Promise.reject(new Error('lost'))"],
])('%s that no code catches is logged, and the process exits with 1', async (_what, statement) => {
  const { code, output } = await run(statement);
  expect(code).toBe(1);
  expect(JSON.parse(output)).toMatchObject({ level: 60, err: { message: 'lost' } });
});

import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Writes one line with the product's log, in a process of its own, since it goes to standard output. */
function logged(entry: object, message: string): string {
  const program = `
    import { createLog } from ${JSON.stringify(new URL('./log.ts', import.meta.url).href)};
    createLog('test', 'info').info(${JSON.stringify(entry)}, ${JSON.stringify(message)});`;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
}

test('a log line names no secret, however deep it lies', () => {
  const secret = 'tell-nobody';
  const names = [
    'password',
    'code',
    'token',
    'laissezPasser',
    'ticket',
    'secret',
    'authorization',
    'cookie',
    'passphrase',
  ];
  for (const name of names) {
    const entry = { [name]: secret, a: { [name]: secret, b: { [name]: secret, c: { [name]: secret } } } };
    const line = logged(entry, 'a request');
    expect(line, name).not.toContain(secret);
    expect(line).toContain('[redacted]');
  }
});

test('a log line is one line of JSON with its time in UTC, whatever was typed', () => {
  const typed = 'x"}\n{"level":60,"msg":"forged"}\r\n\u001b[31m\u2028';
  const line = logged({ typed }, typed);
  expect(line.trim().split('\n')).toHaveLength(1);
  expect(JSON.parse(line)).toMatchObject({ level: 30, msg: typed, typed, process: 'test' });
  expect(JSON.parse(line).time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
});

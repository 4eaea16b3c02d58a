import { spawnSync } from 'node:child_process';
import { randomBytes, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newId } from '../ids.ts';
import { type ChainEvent, canonical, chainStart, checkpointMessage, linkHash } from './chain.ts';
import { checkpointKey } from './checkpoint.ts';
import { exportFormat, verifyExport } from './verify.ts';

const key = checkpointKey(randomBytes(32));
const company = newId();

interface Options {
  company?: string;
  key?: typeof key;
  from?: number;
  to?: number;
  change?(event: ChainEvent): ChainEvent;
}

function eventOf(seq: number, of: string): ChainEvent {
  return {
    company: of,
    seq,
    id: `0190${seq.toString(16).padStart(4, '0')}-0000-7000-8000-000000000000`,
    time: `2026-11-21T10:00:0${seq % 10}.000001Z`,
    actor: { kind: 'user', id: 'ada' },
    action: 'payees.add',
    subject: { kind: 'payee', id: String(seq) },
    detail: { label: `P${seq}`, 'a "b"': [1, { z: null, y: '港' }], limit: { after: '100.00', before: '10.00' } },
    ip: '10.0.0.1',
    requestId: null,
  };
}

/** An export written here by hand, from what the format says: events 1 to 9 of a chain, with a checkpoint at 3, 6 and 9. */
function exported(options: Options = {}): string[] {
  const { company: of = company, key: by = key, from = 1, to = 9, change = (event) => event } = options;
  const lines: object[] = [];
  let hash = chainStart;
  let checkpoint: object = {};
  for (let seq = 1; seq <= to; seq++) {
    const event = change(eventOf(seq, of));
    const startHash = hash.toString('hex');
    hash = linkHash(hash, event);
    if (seq === from) {
      const keys = [{ keyId: by.keyId, publicKey: by.publicKey.toString('base64url') }];
      const header = { company: of, companyName: 'Harbour', exportedAt: '2026-11-21T10:00:00.000Z', keys, startHash };
      lines.push({ type: 'header', format: exportFormat, fromSeq: from, toSeq: to, ...header });
    }
    if (seq < from) continue;
    lines.push({ type: 'event', seq, hash: hash.toString('hex'), event });
    if (seq % 3 > 0) continue;
    const at = '2026-11-21T10:01:00.000Z';
    const said = { seq, hash: hash.toString('hex'), at };
    const signature = sign(null, checkpointMessage({ company: of, ...said }), by.privateKey).toString('base64url');
    checkpoint = { ...said, keyId: by.keyId, signature };
    lines.push({ type: 'checkpoint', ...checkpoint });
  }
  lines.push({ type: 'trailer', company: of, events: to - from + 1, checkpoint });
  return lines.map(canonical);
}

async function* each(lines: readonly string[]) {
  yield* lines;
}
const verify = (lines: readonly string[], trusted: string | null = key.publicKey.toString('base64url')) =>
  verifyExport(each(lines), trusted);
/** Header, events 1–3, checkpoint, events 4–6, checkpoint, … */
const lineOfEvent = (seq: number) => seq + Math.floor((seq - 1) / 3);

describe('an exported audit log', () => {
  test('as it was written is whole, from its first event or from any other', async () => {
    expect(await verify(exported())).toMatchObject({ whole: true, company, fromSeq: 1, toSeq: 9 });
    expect(await verify(exported({ from: 5 }))).toMatchObject({ whole: true, fromSeq: 5, toSeq: 9 });
    expect(await verify(exported(), null)).toMatchObject({ publicKey: key.publicKey.toString('base64url') });
  });

  test.each([
    ['detail', (line: string) => line.replace('"P5"', '"P6"')],
    ['actor', (line: string) => line.replace('"ada"', '"bob"')],
    ['time', (line: string) => line.replace('10:00:05', '10:00:06')],
    ['ip', (line: string) => line.replace('10.0.0.1', '10.0.0.2')],
    ['value before', (line: string) => line.replace('10.00"', '11.00"')],
  ])('with one field changed is broken at that event: %s', async (_, change) => {
    const lines = exported();
    const at = lineOfEvent(5);
    lines[at] = change(lines[at] ?? '');
    expect(await verify(lines)).toMatchObject({ whole: false, seq: 5, line: at + 1 });
  });

  test('with a line taken out is broken where it is missing, checkpoints aside', async () => {
    const without = (index: number) => exported().toSpliced(index, 1);
    expect(await verify(without(lineOfEvent(4)))).toMatchObject({ whole: false, seq: 4, line: lineOfEvent(4) + 1 });
    expect(await verify(without(lineOfEvent(9)))).toMatchObject({ whole: false, seq: 8 });
    expect(await verify(without(0))).toMatchObject({
      whole: false,
      line: 1,
      problem: expect.stringContaining('header'),
    });
  });

  test('with two lines changed about is broken at the first of them', async () => {
    const lines = exported();
    const [a, b] = [lineOfEvent(4), lineOfEvent(5)];
    [lines[a], lines[b]] = [lines[b] ?? '', lines[a] ?? ''];
    expect(await verify(lines)).toMatchObject({ whole: false, seq: 4, line: a + 1 });
  });

  test('with an event twice is broken at the second', async () => {
    const lines = exported();
    lines.splice(lineOfEvent(5), 0, lines[lineOfEvent(5)] ?? '');
    expect(await verify(lines)).toMatchObject({ whole: false, seq: 6, line: lineOfEvent(5) + 2 });
  });

  test('computed anew as a whole has no signature over it', async () => {
    const forged = exported({ change: (event) => (event.seq === 2 ? { ...event, action: 'payees.delete' } : event) });
    const genuine = exported();
    const resigned = forged.map((line, i) => (/"type":"(checkpoint|trailer)"/.test(line) ? (genuine[i] ?? '') : line));
    expect(await verify(resigned)).toMatchObject({ whole: false, seq: 3, problem: expect.stringMatching(/signature/) });
    const hashesToo = resigned.map((line, i) =>
      line.replace(/"hash":"[0-9a-f]{64}"/, /"hash":"[0-9a-f]{64}"/.exec(forged[i] ?? '')?.[0] ?? ''),
    );
    expect(await verify(hashesToo)).toMatchObject({
      whole: false,
      seq: 3,
      problem: expect.stringMatching(/signature/),
    });
  });

  test('signed by somebody else holds only for those who do not know the key', async () => {
    const other = checkpointKey(randomBytes(32));
    expect(await verify(exported({ key: other }))).toMatchObject({ whole: false, seq: 3, line: 5 });
    expect(await verify(exported({ key: other }), null)).toMatchObject({ whole: true });
  });

  test('cut off is not whole, wherever it is cut', async () => {
    const lines = exported();
    for (let length = 0; length < lines.length; length++) {
      expect(await verify(lines.slice(0, length)), `${length} lines`).toMatchObject({ whole: false });
    }
    const shorter = exported({ to: 6 });
    const ended = [...lines.slice(0, lineOfEvent(6) + 2), shorter.at(-1) ?? ''];
    expect(await verify(ended)).toMatchObject({ whole: false, seq: 6, problem: expect.stringMatching(/up to 9/) });
  });

  test("under another company's trailer or checkpoint is not whole", async () => {
    const lines = exported();
    const others = exported({ company: newId() });
    expect(await verify([...lines.slice(0, -1), others.at(-1) ?? ''])).toMatchObject({ whole: false, line: 14 });
    expect(await verify(lines.with(4, others[4] ?? ''))).toMatchObject({ whole: false, seq: 3, line: 5 });
    expect(await verify(lines.with(1, others[1] ?? ''))).toMatchObject({ whole: false, seq: 1, line: 2 });
  });

  test('without any event is none', async () => {
    const empty = canonical({ ...JSON.parse(exported()[0] ?? ''), fromSeq: 1, toSeq: 1 });
    const trailer = exported().at(-1) ?? '';
    expect(await verify([empty, trailer])).toMatchObject({ whole: false });
    expect(await verify([])).toMatchObject({ whole: false, problem: 'the file is empty' });
  });

  test('that reads one way to a person and another to a program is refused', async () => {
    const lines = exported();
    lines[1] = (lines[1] ?? '').replace('"action":"payees.add"', '"action":"payees.delete","action":"payees.add"');
    expect(await verify(lines)).toMatchObject({ whole: false, line: 2, problem: expect.stringContaining('as it was') });
    expect(await verify(['not JSON'])).toMatchObject({ whole: false, line: 1 });
    expect(await verify([...exported(), exported().at(-1) ?? ''])).toMatchObject({ whole: false, line: 15 });
  });
});

/** A key whose public half begins with a hyphen, as one in 64 does. */
function hyphenKey(): typeof key {
  for (;;) {
    const next = checkpointKey(randomBytes(32));
    if (next.publicKey.toString('base64url').startsWith('-')) return next;
  }
}

test.each([
  ['a word of its own', (publicKey: string) => ['--key', publicKey]],
  ['part of the option', (publicKey: string) => [`--key=${publicKey}`]],
])('the command takes a public key that begins with a hyphen, as %s', (_, optionOf) => {
  const directory = mkdtempSync(join(tmpdir(), 'causeway-verify-'));
  try {
    const by = hyphenKey();
    const file = join(directory, 'audit-log.jsonl');
    writeFileSync(file, `${exported({ key: by }).join('\n')}\n`);
    const program = join(import.meta.dirname, '../../verify-audit.ts');
    const args = [program, file, ...optionOf(by.publicKey.toString('base64url'))];
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    expect(stdout).toContain('events 1 to 9 are whole');
  } finally {
    rmSync(directory, { recursive: true });
  }
});

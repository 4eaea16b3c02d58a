import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createLinkedLog, type LinkedLog, type LogDisk, LogUnwritable, openLinkedLog } from './linked-log.ts';

const directory = mkdtempSync(join(tmpdir(), 'causeway-log-'));
afterAll(() => rmSync(directory, { recursive: true }));
const header = { journal: 'test', version: 1 };
let file: string;
let files = 0;
beforeEach(() => {
  files += 1;
  file = join(directory, `${files}.jsonl`);
});

function read(io?: LogDisk): { log: LinkedLog; entries: Record<string, unknown>[]; notes: number[] } {
  const entries: Record<string, unknown>[] = [];
  const notes: number[] = [];
  const reader = {
    onEntry: ({ seq, fields }: { seq: number; fields: Record<string, unknown> }) => entries.push({ seq, ...fields }),
    onNote: (mark: number) => notes.push(mark),
  };
  const log = openLinkedLog(file, header, reader, io);
  if (!log) throw new Error('the file is there');
  return { log, entries, notes };
}

/** A log of so many entries, closed again. */
function written(count: number): void {
  createLinkedLog(file, header);
  const { log } = read();
  for (let n = 1; n <= count; n += 1) log.append({ text: `entry ${n}` });
  log.close();
}

const opening = () => {
  const { log } = read();
  log.close();
};

describe('a log', () => {
  test('gives back what was written, numbered and linked, whoever opens it next', () => {
    createLinkedLog(file, header);
    const first = read().log;
    const one = first.append({ text: '轉帳\n"1"' });
    first.note(1);
    first.append({ text: 'two' });
    expect(first.readAt(one.offset)).toEqual(one);
    first.close();
    const again = read();
    expect(again.entries).toEqual([
      { seq: 1, text: '轉帳\n"1"' },
      { seq: 2, text: 'two' },
    ]);
    expect(again.notes).toEqual([1]);
    expect(again.log.tip().seq).toBe(2);
    expect(again.log.append({ text: 'three' }).seq).toBe(3);
    again.log.close();
  });

  test('is for its own user alone, whatever its mode was', () => {
    written(1);
    chmodSync(file, 0o644);
    opening();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('is never begun twice, and a missing or empty one is told from one that is there', () => {
    expect(openLinkedLog(file, header, { onEntry: () => undefined, onNote: () => undefined })).toBeNull();
    writeFileSync(file, '');
    expect(openLinkedLog(file, header, { onEntry: () => undefined, onNote: () => undefined })).toBeNull();
    written(1);
    expect(() => createLinkedLog(file, header)).toThrow(/never overwritten/);
    expect(() => openLinkedLog(file, { ...header, version: 2 }, { onEntry() {}, onNote() {} })).toThrow(/first line/);
  });

  test('is held by one at a time, and free again once that one has ended', () => {
    written(1);
    const { log } = read();
    expect(opening).toThrow(/held by another process/);
    log.close();
    expect(opening).not.toThrow();
  });
});

describe('what a crash left', () => {
  test('of the last line is removed, wherever it stopped', () => {
    written(3);
    const whole = readFileSync(file);
    const start = whole.subarray(0, -1).lastIndexOf(0x0a) + 1;
    for (let length = start; length < whole.length; length += 3) {
      writeFileSync(file, whole.subarray(0, length));
      const { log, entries } = read();
      expect(entries.length, `${length - start} bytes of the last line`).toBe(2);
      expect(log.append({ text: 'entry 3' }).seq).toBe(3);
      log.close();
      expect(readFileSync(file)).toEqual(whole);
    }
  });

  test('as blocks of zeroes, or as a line that was written in part, is removed as well', () => {
    written(2);
    const { size } = statSync(file);
    appendFileSync(file, Buffer.alloc(5000));
    opening();
    expect(statSync(file).size).toBe(size);
    appendFileSync(file, `{"seq":3,"text":"\u0000\u0000\u0000"}\n`);
    opening();
    expect(statSync(file).size).toBe(size);
  });

  test('of the header alone is as good as no file', () => {
    written(1);
    truncateSync(file, 10);
    expect(openLinkedLog(file, header, { onEntry() {}, onNote() {} })).toBeNull();
    createLinkedLog(file, header);
    opening();
  });
});

describe('damage', () => {
  test('to any byte of a line that is not the last is refused', () => {
    written(3);
    const whole = readFileSync(file);
    const end = whole.subarray(0, -1).lastIndexOf(0x0a);
    for (let at = 0; at < end; at += 7) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      writeFileSync(file, damaged);
      expect(opening, `byte ${at}`).toThrow(/damaged|first line/);
      expect(readFileSync(file).equals(damaged)).toBe(true);
    }
  });

  test('a line that was taken out, repeated or put elsewhere is refused', () => {
    written(4);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const [head, one, two, three, four] = lines as [string, string, string, string, string];
    for (const order of [
      [head, one, three, four],
      [head, one, one, two, three, four],
      [head, two, one, three, four],
      [one, two, three, four],
    ]) {
      writeFileSync(file, `${order.join('\n')}\n`);
      expect(opening).toThrow(/damaged|first line/);
    }
  });
});

describe('a disk that fails', () => {
  const real: LogDisk = {
    write: (_fd, bytes, position) => {
      const old = readFileSync(file).subarray(0, position);
      writeFileSync(file, Buffer.concat([old, bytes]));
    },
    sync: () => undefined,
    truncate: (_fd, length) => truncateSync(file, length),
  };
  const full = () => {
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  };

  test('while a line is written leaves the log as it was, and the next line goes on once there is room', () => {
    written(1);
    let isFull = true;
    const { log } = read({
      ...real,
      write(fd, bytes, position) {
        real.write(fd, isFull ? bytes.subarray(0, 20) : bytes, position);
        if (isFull) full();
      },
    });
    expect(() => log.append({ text: 'two' })).toThrow(LogUnwritable);
    expect(log.tip().seq).toBe(1);
    isFull = false;
    expect(log.append({ text: 'two' }).seq).toBe(2);
    log.close();
    expect(read().entries.map(({ text }) => text)).toEqual(['entry 1', 'two']);
  });

  test('when the line is brought to the disk takes nothing more until a restart, which reads what is there', () => {
    written(1);
    let fails = true;
    const { log } = read({
      ...real,
      sync() {
        if (fails) full();
      },
    });
    expect(() => log.append({ text: 'two' })).toThrow(/could not be brought to the disk/);
    fails = false;
    expect(() => log.append({ text: 'three' })).toThrow(/until the process is restarted/);
    log.close();
    const again = read();
    expect(again.entries.map(({ text }) => text)).toEqual(['entry 1', 'two']);
    again.log.close();
  });
});

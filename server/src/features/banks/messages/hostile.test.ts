import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arriving, bal, camt053, collected, document, header, ntry, stmt } from '../../../testing/bank-messages.ts';
import { describeBankFile } from './describe.ts';
import type { BankFileError } from './problem.ts';
import { type BankFilePart, readBankFile } from './read.ts';
import { type XmlLimits, xmlLimits } from './xml.ts';

async function read(content: string | Uint8Array, limits: Partial<XmlLimits> = {}): Promise<BankFilePart[]> {
  return collected(readBankFile(arriving(content), { ...xmlLimits, ...limits }));
}
async function refusal(content: string | Uint8Array, limits: Partial<XmlLimits> = {}) {
  const error: unknown = await read(content, limits).then(
    () => null,
    (failure: unknown) => failure,
  );
  const { problem, details } = error as BankFileError;
  return { problem, ...details };
}

describe('hostile XML', () => {
  test('a document type is refused, with entities or without', async () => {
    const laughs = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>';
    const whole = camt053();
    expect(await refusal(whole.replace('<Document', `${laughs}<Document`))).toEqual({ problem: 'doctype' });
    expect(
      await refusal(whole.replace('<Document', '<!DOCTYPE Document SYSTEM "file:///etc/passwd"><Document')),
    ).toEqual({ problem: 'doctype' });
  });

  test('entities that nothing declares are refused; the five of XML and numbered characters are read', async () => {
    expect(await refusal(camt053({ id: '&xxe;' }))).toMatchObject({ problem: 'notXml', line: 2 });
    const parts = await read(camt053({ id: 'A&amp;B &#x4E2D;<![CDATA[<C>]]>' }));
    expect(parts).toContainEqual(
      expect.objectContaining({ part: 'statement', statement: expect.objectContaining({ id: 'A&B 中<C>' }) }),
    );
  });

  test('size, elements, depth, attributes and texts have limits', async () => {
    expect(await refusal(camt053(), { bytes: 100 })).toMatchObject({ problem: 'tooLarge' });
    expect(await refusal(camt053(), { elements: 10 })).toEqual({ problem: 'tooManyElements', most: 10 });
    const deep = document('camt.053.001.08', 'BkToCstmrStmt', header + '<X>'.repeat(50) + '</X>'.repeat(50));
    expect(await refusal(deep)).toEqual({ problem: 'tooDeep', most: 40 });
    const attributes = Array.from({ length: 21 }, (_, i) => `a${i}="1"`).join(' ');
    expect(await refusal(`<Document ${attributes}/>`)).toEqual({ problem: 'tooManyAttributes', most: 20 });
    expect(await refusal(camt053({ id: 'x'.repeat(10_001) }))).toMatchObject({
      problem: 'textTooLong',
      path: 'Document/BkToCstmrStmt/Stmt[1]/Id',
    });
  });

  test('a description has a lower limit, since it is held whole', async () => {
    const large = arriving(new Uint8Array(50_000_001), 50_000_001);
    await expect(describeBankFile(large, 'en-us')).rejects.toMatchObject({
      problem: 'tooLarge',
      details: { most: 50 },
    });
  });

  test('half a file, two roots and what is no XML are refused with the place', async () => {
    const whole = camt053({ entries: ntry() });
    expect(await refusal(whole.slice(0, whole.length / 2))).toMatchObject({ problem: 'notXml' });
    expect(await refusal(whole.replace('</Document>', ''))).toMatchObject({ problem: 'notXml' });
    expect(await refusal(`${whole}<a/>`)).toMatchObject({ problem: 'notXml' });
    expect(await refusal('Dear customer')).toMatchObject({ problem: 'notXml', line: 1 });
    expect(await refusal('')).toEqual({ problem: 'empty' });
  });

  test('no cut through a file is read as a whole one', async () => {
    const whole = camt053({ entries: ntry() + ntry() });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 1 }), async (length) => {
        const { problem } = await refusal(whole.slice(0, length));
        expect(['empty', 'notXml', 'message']).toContain(problem);
      }),
      { numRuns: 60 },
    );
  });

  test('however a file is cut into pieces, it says the same', async () => {
    const whole = camt053({
      id: 'Überweisung 付款 𠮷',
      balances: bal('OPBD', '1.50') + bal('CLBD', '11.5'),
      entries: ntry(),
    });
    const expected = await collected(readBankFile(arriving(whole, 1_000_000)));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 400 }), async (size) => {
        expect(await collected(readBankFile(arriving(whole, size)))).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  test('what a bank adds in a namespace of its own is ignored, also where it has the name of an amount', async () => {
    const foreign =
      '<x:Amt xmlns:x="urn:own" Ccy="EUR">99</x:Amt><BkTxCd/><SplmtryData><Envlp><Amt/></Envlp></SplmtryData>';
    const parts = await read(camt053({ entries: ntry({ rest: foreign }) }));
    expect(parts).toContainEqual(
      expect.objectContaining({ entry: expect.objectContaining({ amount: { currency: 'EUR', minor: 1000n } }) }),
    );
  });
});

describe('encodings', () => {
  const idOf = (parts: BankFilePart[]) => parts.flatMap((part) => (part.part === 'statement' ? part.statement.id : []));
  const latin = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
  const name = 'Zürich';
  const declaring = (encoding: string) => camt053({ id: name }).replace('UTF-8', encoding);

  test('UTF-8 with and without a mark, UTF-16 both ways', async () => {
    expect(idOf(await read(`\ufeff${camt053({ id: name })}`))).toEqual([name]);
    expect(idOf(await read(camt053({ id: name }).replace(/<\?.*\?>\n/, '')))).toEqual([name]);
    const little = Buffer.from(`\ufeff${declaring('UTF-16')}`, 'utf16le');
    expect(idOf(await read(little))).toEqual([name]);
    expect(idOf(await read(Buffer.from(little).swap16()))).toEqual([name]);
    expect(idOf(await read(Buffer.from(declaring('UTF-16'), 'utf16le')))).toEqual([name]);
  });

  test('those that are declared', async () => {
    expect(idOf(await read(latin(declaring('ISO-8859-1'))))).toEqual([name]);
    const gbk = camt053({ id: '@' }).replace('UTF-8', 'GBK');
    const at = gbk.indexOf('@');
    // 中 in GBK
    const bytes = Buffer.concat([latin(gbk.slice(0, at)), Buffer.from([0xd6, 0xd0]), latin(gbk.slice(at + 1))]);
    expect(idOf(await read(bytes))).toEqual(['中']);
    // A program that holds its texts as UTF-16 and writes UTF-8.
    expect(idOf(await read(declaring('utf-16')))).toEqual([name]);
  });

  test('bytes that the encoding does not have, and encodings that nothing knows, are refused', async () => {
    expect(await refusal(latin(declaring('UTF-8')))).toEqual({ problem: 'encoding', value: 'utf-8' });
    expect(await refusal(declaring('EBCDIC-FR'))).toEqual({ problem: 'encoding', value: 'EBCDIC-FR' });
  });
});

test('entries are given while the file arrives, so that memory does not grow with it', async () => {
  const [start = '', end = ''] = document('camt.053.001.08', 'BkToCstmrStmt', header + stmt({ entries: '@' })).split(
    '@',
  );
  let sent = 0;
  async function* long(): AsyncGenerator<Uint8Array> {
    const encoder = new TextEncoder();
    yield encoder.encode(start);
    const hundred = encoder.encode(ntry().repeat(100));
    for (; sent < 10_000; sent += 100) yield hundred;
    yield encoder.encode(end);
  }
  let given = 0;
  let behind = 0;
  for await (const part of readBankFile(long())) {
    if (part.part !== 'entry') continue;
    given += 1;
    behind = Math.max(behind, sent - given);
  }
  expect(given).toBe(10_000);
  expect(behind).toBeLessThan(200);
});

import { formatAmount } from '@causeway/contract/money.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arriving, collected } from '../../../testing/bank-messages.ts';
import { foldLatin, foldReference } from './folding.ts';
import { controlSumOf, type PaymentBatch, type PaymentInstruction, writePain001 } from './pain001.ts';
import { readXml, type XmlElement } from './xml.ts';

const payment: PaymentInstruction = {
  instructionId: 'I-1',
  endToEndId: 'E-1',
  uetr: 'eb6305c9-1f7f-49de-aed0-16487c27b42d',
  amount: { currency: 'EUR', minor: 1_250n },
  chargeBearer: 'SLEV',
  onBehalfOf: { name: 'Pearl River Trading Limited', address: null },
  payee: {
    name: "O'Neil + Sons <Ltd>",
    address: { town: 'Berlin', country: 'DE', postcode: '10115', region: 'BE', lines: ['Allee 1', '3. Stock'] },
  },
  account: { iban: 'DE89370400440532013000' },
  bank: { bic: 'COBADEFFXXX', name: 'Bank' },
  purpose: 'SUPP',
  remittance: { text: 'Invoice 7 & 8' },
};
const others: PaymentInstruction[] = [
  {
    ...payment,
    amount: { currency: 'JPY', minor: 1000n },
    account: { number: '1234567' },
    bank: { clearing: { system: 'JPZGN', member: '0001001' } },
    payee: { name: 'カ）フアーボエージ', address: null },
    purpose: null,
    remittance: { reference: 'RF18539007547034' },
  },
  { ...payment, account: { proxy: { type: 'TELE', id: '+852-91234567' } }, bank: {}, remittance: null },
];

function batchOf(payments: readonly PaymentInstruction[]): PaymentBatch {
  return {
    messageId: 'MSG-1',
    createdAt: new Date('2026-11-23T08:00:00Z'),
    batchId: 'PI-1',
    executionDate: '2026-11-24',
    initiator: 'Far Voyage Ltd',
    payer: { name: 'Far Voyage Ltd', address: { town: 'Hong Kong', country: 'HK', lines: [] } },
    account: { number: '808123456838', currency: 'HKD' },
    bank: { bic: 'HSBCHKHHHKH' },
    serviceLevel: 'SEPA',
    count: payments.length,
    controlSum: controlSumOf(payments.map(({ amount }) => amount)),
  };
}
const write = async (payments: readonly PaymentInstruction[]) =>
  (await collected(writePain001(batchOf(payments), payments))).join('');

async function read(xml: string): Promise<XmlElement> {
  let root: XmlElement | undefined;
  const reading = readXml(arriving(xml, 65_536), {
    open: () => 'keep',
    inside: () => {},
    left: () => {},
    kept: (element) => {
      root = element;
    },
  });
  await collected(reading);
  if (!root) throw new Error('nothing was kept');
  return root;
}

/**
 * The subset of pain.001.001.09 that is written, in the order of its schema: what may be missing has a question mark, what may repeat
 * a plus. Names without an entry are texts.
 */
const schema: Readonly<Record<string, string>> = {
  Document: 'CstmrCdtTrfInitn',
  CstmrCdtTrfInitn: 'GrpHdr PmtInf+',
  GrpHdr: 'MsgId CreDtTm NbOfTxs CtrlSum? InitgPty',
  InitgPty: 'Nm',
  PmtInf: 'PmtInfId PmtMtd BtchBookg? NbOfTxs? CtrlSum? PmtTpInf? ReqdExctnDt Dbtr DbtrAcct DbtrAgt CdtTrfTxInf+',
  PmtTpInf: 'SvcLvl',
  SvcLvl: 'Cd',
  ReqdExctnDt: 'Dt',
  Dbtr: 'Nm PstlAdr?',
  UltmtDbtr: 'Nm PstlAdr?',
  Cdtr: 'Nm PstlAdr?',
  PstlAdr: 'PstCd? TwnNm CtrySubDvsn? Ctry AdrLine+?',
  DbtrAcct: 'Id Ccy',
  CdtrAcct: 'Id Prxy?',
  DbtrAgt: 'FinInstnId',
  CdtrAgt: 'FinInstnId',
  FinInstnId: 'BICFI? ClrSysMmbId? Nm?',
  ClrSysMmbId: 'ClrSysId MmbId',
  ClrSysId: 'Cd',
  CdtTrfTxInf: 'PmtId Amt ChrgBr UltmtDbtr? CdtrAgt? Cdtr CdtrAcct Purp? RmtInf?',
  PmtId: 'InstrId EndToEndId UETR',
  Amt: 'InstdAmt',
  Purp: 'Cd',
  RmtInf: 'Ustrd? Strd?',
  Strd: 'CdtrRefInf',
  CdtrRefInf: 'Tp Ref',
  CdOrPrtry: 'Cd',
  Prxy: 'Tp Id',
};

function expectValid(element: XmlElement): void {
  const inner = schema[element.name];
  if (inner !== undefined) {
    const pattern = inner.split(' ').map((each) => {
      const [, name = '', marks = ''] = /^(\w+)([+?]*)$/.exec(each) ?? [];
      const [least, most] = [marks.includes('?') ? '0' : '1', marks.includes('+') ? '' : '1'];
      return `(?:${name} ){${least},${most}}`;
    });
    expect(element.children.map(({ name }) => `${name} `).join('')).toMatch(new RegExp(`^${pattern.join('')}$`));
  }
  for (const child of element.children) expectValid(child);
}

describe('pain.001', () => {
  test('has the elements of the schema in their order', async () => {
    const root = await read(await write([payment, ...others]));
    expect(root.namespace).toBe('urn:iso:std:iso:20022:tech:xsd:pain.001.001.09');
    expectValid(root);
  });

  test('says what was ordered: texts escaped, amounts exact, count and sum', async () => {
    const xml = await write([payment, ...others]);
    expect(xml).toContain('<NbOfTxs>3</NbOfTxs><CtrlSum>1025</CtrlSum>');
    expect(xml).toContain('<InstdAmt Ccy="EUR">12.50</InstdAmt>');
    expect(xml).toContain('<InstdAmt Ccy="JPY">1000</InstdAmt>');
    expect(xml).toContain('<Nm>O&apos;Neil + Sons &lt;Ltd&gt;</Nm>');
    expect(xml).toContain('<Ustrd>Invoice 7 &amp; 8</Ustrd>');
    expect(xml).toContain('<UETR>eb6305c9-1f7f-49de-aed0-16487c27b42d</UETR>');
    expect(xml).toContain('<Cd>SCOR</Cd></CdOrPrtry><Issr>ISO</Issr></Tp><Ref>RF18539007547034</Ref>');
    expect(xml).toContain('<ClrSysId><Cd>JPZGN</Cd></ClrSysId><MmbId>0001001</MmbId>');
    expect(xml).toContain('<Prxy><Tp><Cd>TELE</Cd></Tp><Id>+852-91234567</Id></Prxy>');
  });

  test('is written payment by payment, 5,000 of them', async () => {
    const payments = Array.from({ length: 5000 }, (_, i) => ({ ...payment, endToEndId: `E-${i}` }));
    const pieces = await collected(writePain001(batchOf(payments), payments));
    expect(pieces).toHaveLength(5002);
    const [, body] = (await read(pieces.join(''))).children[0]?.children ?? [];
    expect(body?.children.filter(({ name }) => name === 'CdtTrfTxInf')).toHaveLength(5000);
  });

  test('the control sum is exact, over currencies with other decimals', () => {
    const amounts = fc.array(
      fc.record({
        currency: fc.constantFrom('JPY', 'EUR', 'KWD', 'CLF'),
        minor: fc.bigInt({ min: 0n, max: 10n ** 12n }),
      }),
    );
    const decimals: Record<string, bigint> = { JPY: 0n, EUR: 2n, KWD: 3n, CLF: 4n };
    fc.assert(
      fc.property(amounts, (each) => {
        const sum = each.reduce(
          (total, { currency, minor }) => total + minor * 10n ** (4n - (decimals[currency] ?? 0n)),
          0n,
        );
        const [whole, fraction = ''] = controlSumOf(each).split('.');
        expect(BigInt(`${whole}${fraction.padEnd(4, '0')}`)).toBe(sum);
        expect(formatAmount(sum, 4).startsWith(controlSumOf(each))).toBe(true);
      }),
    );
  });

  test('what a bank would refuse is never written', async () => {
    const refused = async (change: Partial<PaymentInstruction>) => {
      const failed = await write([{ ...payment, ...change }]).then(
        () => false,
        () => true,
      );
      expect(failed).toBe(true);
    };
    await refused({ endToEndId: 'x'.repeat(36) });
    await refused({ instructionId: ' ' });
    await refused({ payee: { name: 'a\u0000b', address: null } });
    await refused({ payee: { name: '\ud800', address: null } });
    await refused({ account: {} });
    await refused({ remittance: { text: 'x'.repeat(141) } });
    await refused({ payee: { name: 'A', address: { town: 'T', country: 'DE', lines: ['1', '2', '3'] } } });
    const batch = batchOf([payment]);
    await expect(collected(writePain001(batch, [payment, payment]))).rejects.toThrow('a batch of 1 payments has 2');
    const wrong = { ...batch, controlSum: '12.49' };
    await expect(collected(writePain001(wrong, [payment]))).rejects.toThrow('control sum');
  });
});

describe('folding', () => {
  test.each([
    ['Müller & Söhne GmbH', 'Muller + Sohne GmbH'],
    ['Straße, Łódź', 'Strasse, Lodz'],
    ['Æsir Ørsted Þór', 'AEsir Orsted THor'],
    ['Nguyễn Thị', 'Nguyen Thi'],
    ['Ｆａｒ　Ｖｏｙａｇｅ', 'Far Voyage'],
    ['“Far” – Voyage™', "'Far' - VoyageTM"],
    ['İstanbul ışık', 'Istanbul isik'],
  ])('%s is sent as %s', (name, sent) => {
    expect(foldLatin(name)).toEqual({ text: sent, lost: [] });
  });

  test('what has no Latin letters is lost and named', () => {
    expect(foldLatin('远航 Far 远')).toEqual({ text: 'Far', lost: ['远', '航'] });
  });

  test('whatever is typed, what is sent is of the set, and folding it again changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (typed) => {
        const { text } = foldLatin(typed);
        expect(text).toMatch(/^[A-Za-z0-9/\-?:().,'+ ]*$/);
        expect(foldLatin(text)).toEqual({ text, lost: [] });
        expect(foldReference(typed).text).not.toMatch(/^\/|\/$|\/\//);
      }),
    );
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RefusedError, runFileCommand } from './command-line.ts';

/**
 * Files as banks of several countries write them, by `bank import FILE --dry-run`: each is laid out as the bank's own guide has it (old and new versions,
 * envelopes, prefixes, batches with and without details, returns, references of several kinds, five decimals, missing parties). And files that no bank
 * writes.
 */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-samples-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function dryRun(content: string | Uint8Array) {
  const path = join(folder, 'sample.xml');
  await writeFile(path, content);
  return JSON.parse((await runFileCommand(['bank', 'import', path, '--dry-run'])) ?? '');
}

const iso = (name: string) => `urn:iso:std:iso:20022:tech:xsd:${name}`;
const balance = (code: string, amount: string, day: string, sign = 'CRDT') =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt ${amount}</Amt><CdtDbtInd>${sign}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;

describe('as banks write them', () => {
  test('Germany, version 2: a booked batch with details that have the amounts of their transactions, and a return by code', async () => {
    const part = (amount: string, name: string, ref: string) =>
      `<TxDtls><Refs><EndToEndId>${ref}</EndToEndId><MndtId>M-${ref}</MndtId></Refs><AmtDtls><TxAmt><Amt Ccy="EUR">${amount}</Amt></TxAmt></AmtDtls>` +
      `<BkTxCd><Prtry><Cd>NDDT+171+00931</Cd><Issr>DK</Issr></Prtry></BkTxCd><RltdPties><Dbtr><Nm>${name}</Nm></Dbtr>` +
      `<DbtrAcct><Id><IBAN>DE12500105170648489890</IBAN></Id></DbtrAcct></RltdPties><RmtInf><Ustrd>Beitrag ${ref}</Ustrd></RmtInf></TxDtls>`;
    const file =
      `<?xml version="1.0" encoding="ISO-8859-1"?><Document xmlns="${iso('camt.053.001.02')}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="x camt.053.001.02.xsd">` +
      '<BkToCstmrStmt><GrpHdr><MsgId>053D2026-11-20</MsgId><CreDtTm>2026-11-20T21:00:00.0+01:00</CreDtTm><MsgPgntn><PgNb>1</PgNb><LastPgInd>true</LastPgInd></MsgPgntn></GrpHdr>' +
      '<Stmt><Id>0352C5320261120</Id><ElctrncSeqNb>130</ElctrncSeqNb><CreDtTm>2026-11-20T21:00:00.0+01:00</CreDtTm>' +
      '<Acct><Id><IBAN>DE87200500001234567890</IBAN></Id><Ccy>EUR</Ccy><Ownr><Nm>Reederei Nord</Nm></Ownr><Svcr><FinInstnId><BIC>DEUTDEDB</BIC></FinInstnId></Svcr></Acct>' +
      balance('PRCD', 'Ccy="EUR">112.72', '2026-11-19') +
      balance('CLBD', 'Ccy="EUR">149.72', '2026-11-20') +
      '<Ntry><Amt Ccy="EUR">45.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt><ValDt><Dt>2026-11-20</Dt></ValDt>' +
      '<AcctSvcrRef>2026112000001</AcctSvcrRef><BkTxCd/><NtryDtls><Btch><PmtInfId>PII-7</PmtInfId><NbOfTxs>2</NbOfTxs></Btch>' +
      `${part('20.00', 'Jens M\u00fcller', 'E-1')}${part('25.00000', 'Anke Gro\u00df', 'E-2')}</NtryDtls></Ntry>` +
      '<Ntry><Amt Ccy="EUR">8.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><RvslInd>false</RvslInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-20+01:00</Dt></BookgDt><BkTxCd>' +
      '<Prtry><Cd>NRTI+108</Cd></Prtry></BkTxCd><NtryDtls><TxDtls><Refs><EndToEndId>E-0</EndToEndId></Refs><AmtDtls><InstdAmt><Amt Ccy="EUR">5.00</Amt></InstdAmt></AmtDtls>' +
      '<RtrInf><OrgnlBkTxCd/><Orgtr><Id><OrgId><BICOrBEI>COBADEFF</BICOrBEI></OrgId></Id></Orgtr><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>KONTO AUFGELOEST</AddtlInf></RtrInf></TxDtls></NtryDtls></Ntry>' +
      '</Stmt></BkToCstmrStmt></Document>';
    const { messages, statements } = await dryRun(Buffer.from(file, 'latin1'));
    expect(messages).toMatchObject([{ name: 'camt.053.001.02', page: { number: '1', isLast: true } }]);
    expect(statements[0]).toMatchObject({
      account: { iban: 'DE87200500001234567890', owner: { name: 'Reederei Nord' }, servicer: { bic: 'DEUTDEDB' } },
      sequence: '130',
      entries: [
        {
          amount: '45.00',
          state: 'booked',
          batches: [{ paymentInformation: 'PII-7', count: 2 }],
          details: [
            {
              amount: '20.00',
              debtor: { name: 'Jens Müller' },
              references: { endToEnd: 'E-1', mandate: 'M-E-1' },
              code: { proprietary: 'NDDT+171+00931' },
            },
            { amount: '25.00', references: { endToEnd: 'E-2' } },
          ],
        },
        {
          amount: '8.00',
          direction: 'debit',
          isReversal: false,
          bookingDate: { date: '2026-11-20' },
          details: [
            {
              amounts: { instructed: { amount: '5', currency: 'EUR' } },
              returned: {
                reason: { code: 'AC04' },
                originator: { bic: 'COBADEFF' },
                texts: ['KONTO AUFGELOEST'],
              },
            },
          ],
        },
      ],
      checks: [{ opening: { type: 'PRCD' }, difference: '0.00', agrees: true }],
      findings: [],
    });
  });

  test('Switzerland, version 4 with a namespace of SIX: QR references, a batch without details, a charge of five decimals', async () => {
    const { statements } = await dryRun(
      '<?xml version="1.0" encoding="UTF-8"?>' +
        '<camt:Document xmlns:camt="http://www.six-interbank-clearing.com/de/camt.053.001.04.ch.02.xsd"><camt:BkToCstmrStmt>' +
        '<camt:GrpHdr><camt:MsgId>20261120-1</camt:MsgId><camt:CreDtTm>2026-11-20T22:10:11</camt:CreDtTm></camt:GrpHdr><camt:Stmt><camt:Id>20261120-1-1</camt:Id>' +
        '<camt:FrToDt><camt:FrDtTm>2026-11-20T00:00:00</camt:FrDtTm><camt:ToDtTm>2026-11-20T24:00:00</camt:ToDtTm></camt:FrToDt>' +
        '<camt:Acct><camt:Id><camt:IBAN>CH9300762011623852957</camt:IBAN></camt:Id></camt:Acct>' +
        '<camt:Ntry><camt:NtryRef>CH4431999123000889012</camt:NtryRef><camt:Amt Ccy="CHF">300.00000</camt:Amt><camt:CdtDbtInd>CRDT</camt:CdtDbtInd><camt:Sts>BOOK</camt:Sts>' +
        '<camt:BookgDt><camt:DtTm>2026-11-20T08:00:00.123456</camt:DtTm></camt:BookgDt><camt:BkTxCd><camt:Domn><camt:Cd>PMNT</camt:Cd><camt:Fmly><camt:Cd>RCDT</camt:Cd>' +
        '<camt:SubFmlyCd>VCOM</camt:SubFmlyCd></camt:Fmly></camt:Domn></camt:BkTxCd><camt:NtryDtls><camt:Btch><camt:NbOfTxs>1</camt:NbOfTxs></camt:Btch><camt:TxDtls>' +
        '<camt:Refs><camt:AcctSvcrRef>A-1</camt:AcctSvcrRef></camt:Refs><camt:Amt Ccy="CHF">300.00</camt:Amt><camt:CdtDbtInd>CRDT</camt:CdtDbtInd>' +
        '<camt:Chrgs><camt:TtlChrgsAndTaxAmt Ccy="CHF">0.12345</camt:TtlChrgsAndTaxAmt></camt:Chrgs>' +
        '<camt:RltdPties><camt:Dbtr><camt:Nm>Pia Rutschmann</camt:Nm></camt:Dbtr><camt:UltmtDbtr><camt:Nm>Rutschmann Erben</camt:Nm></camt:UltmtDbtr></camt:RltdPties>' +
        '<camt:RmtInf><camt:Strd><camt:CdtrRefInf><camt:Tp><camt:CdOrPrtry><camt:Prtry>QRR</camt:Prtry></camt:CdOrPrtry></camt:Tp><camt:Ref>210000000003139471430009017</camt:Ref>' +
        '</camt:CdtrRefInf><camt:AddtlRmtInf>?REJECT?0</camt:AddtlRmtInf></camt:Strd></camt:RmtInf></camt:TxDtls></camt:NtryDtls></camt:Ntry>' +
        '<camt:Ntry><camt:Amt Ccy="CHF">77</camt:Amt><camt:CdtDbtInd>CRDT</camt:CdtDbtInd><camt:Sts>BOOK</camt:Sts><camt:BkTxCd/>' +
        '<camt:NtryDtls><camt:Btch><camt:NbOfTxs>9</camt:NbOfTxs><camt:TtlAmt Ccy="CHF">77</camt:TtlAmt></camt:Btch></camt:NtryDtls></camt:Ntry>' +
        '</camt:Stmt></camt:BkToCstmrStmt></camt:Document>',
    );
    expect(statements[0]).toMatchObject({
      from: '2026-11-20T00:00:00',
      to: '2026-11-20T24:00:00',
      balances: [],
      entries: [
        {
          amount: '300.00',
          details: [
            {
              charges: [{ amount: '0.12345', currency: 'CHF' }],
              debtor: { name: 'Pia Rutschmann' },
              ultimateDebtor: { name: 'Rutschmann Erben' },
              creditor: null,
              remittance: {
                structured: [{ reference: '210000000003139471430009017', checked: 'swissQr', type: { code: 'QRR' } }],
                additional: ['?REJECT?0'],
              },
            },
          ],
        },
        { amount: '77.00', batches: [{ count: 9, total: { amount: '77.00', currency: 'CHF' } }], details: [] },
      ],
    });
  });

  test('Hong Kong, version 8: several accounts and currencies in one file, yen, missing parties, and a UETR', async () => {
    const account = (number: string, currency: string) =>
      `<Acct><Id><Othr><Id>${number}</Id></Othr></Id><Ccy>${currency}</Ccy></Acct>`;
    const entry = (amount: string, more = '') =>
      `<Ntry><Amt ${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt><BkTxCd/>${more}</Ntry>`;
    const details =
      '<NtryDtls><TxDtls><Refs><AcctSvcrTxId>ST-1</AcctSvcrTxId><UETR>eb6305c9-1f7f-49de-aed0-16487c27b42d</UETR><PrcgId>PR-9</PrcgId></Refs>' +
      '<RltdPties><InitgPty><Pty><Nm>Payments Factory</Nm></Pty></InitgPty><Dbtr><Agt><FinInstnId><BICFI>CHASUS33</BICFI></FinInstnId></Agt></Dbtr></RltdPties>' +
      '<RltdAgts><IntrmyAgt1><FinInstnId><BICFI>CITIUS33</BICFI></FinInstnId></IntrmyAgt1></RltdAgts>' +
      '<RltdDts><AccptncDtTm>2026-11-19T23:00:00Z</AccptncDtTm><IntrBkSttlmDt>2026-11-20</IntrBkSttlmDt></RltdDts></TxDtls></NtryDtls>';
    const { statements } = await dryRun(
      `<Document xmlns="${iso('camt.053.001.08')}"><BkToCstmrStmt><GrpHdr><MsgId>HK1</MsgId><CreDtTm>2026-11-20T20:00:00+08:00</CreDtTm></GrpHdr>` +
        `<Stmt><Id>S-1</Id>${account('004-123-456789', 'JPY')}${balance('OPBD', 'Ccy="JPY">0', '2026-11-20')}${entry('Ccy="JPY">12000.00', details)}` +
        `${balance('CLBD', 'Ccy="JPY">12000', '2026-11-20')}</Stmt><Stmt><Id>S-2</Id>${account('004-123-456790', 'HKD')}${entry('Ccy="HKD">1.10')}${entry('Ccy="HKD">1.10')}</Stmt>` +
        '</BkToCstmrStmt></Document>',
    );
    expect(statements).toMatchObject([
      {
        id: 'S-1',
        account: { number: '004-123-456789', iban: null, currency: 'JPY' },
        entries: [
          {
            amount: '12000',
            details: [
              {
                references: {
                  uetr: 'eb6305c9-1f7f-49de-aed0-16487c27b42d',
                  accountServicerTransaction: 'ST-1',
                  processing: 'PR-9',
                },
                dates: { accepted: '2026-11-19T23:00:00Z', settled: '2026-11-20', transaction: null },
                initiatingParty: { name: 'Payments Factory' },
                debtor: { name: null, bic: 'CHASUS33' },
                intermediaryAgents: [{ bic: 'CITIUS33' }],
                creditor: null,
              },
            ],
          },
        ],
        checks: [{ currency: 'JPY', difference: '0', agrees: true }],
      },
      { id: 'S-2', entries: [{ amount: '1.10' }, { amount: '1.10' }], checks: [{ credits: '2.20', agrees: null }] },
    ]);
  });

  test('Scandinavia, camt.054 version 6 in an envelope of SWIFT, with references of ISO 11649 and of invoices', async () => {
    const reference = (kind: string, value: string) =>
      `<Strd><CdtrRefInf><Tp><CdOrPrtry>${kind}</CdOrPrtry></Tp><Ref>${value}</Ref></CdtrRefInf></Strd>`;
    const { statements } = await dryRun(
      `<RequestPayload><AppHdr xmlns="urn:iso:std:iso:20022:tech:xsd:head.001.001.02"><BizMsgIdr>B-1</BizMsgIdr></AppHdr><Document xmlns="${iso('camt.054.001.06')}">` +
        '<BkToCstmrDbtCdtNtfctn><GrpHdr><MsgId>N1</MsgId><CreDtTm>2026-11-20T12:00:00Z</CreDtTm></GrpHdr><Ntfctn><Id>N-1</Id><Acct><Id><IBAN>FI21 1234 5600 0007 85</IBAN></Id></Acct>' +
        '<Ntry><Amt Ccy="EUR">10</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BkTxCd/><NtryDtls><TxDtls><Refs/><RmtInf>' +
        `${reference('<Cd>SCOR</Cd>', 'RF18 5390 0754 7034')}${reference('<Prtry>FI-REF</Prtry>', '1232')}` +
        '<Strd><RfrdDocInf><Tp><CdOrPrtry><Cd>CREN</Cd></CdOrPrtry></Tp><Nb>C-9</Nb></RfrdDocInf></Strd></RmtInf></TxDtls></NtryDtls></Ntry></Ntfctn></BkToCstmrDbtCdtNtfctn></Document></RequestPayload>',
    );
    expect(statements).toMatchObject([
      {
        kind: 'notification',
        account: { iban: 'FI2112345600000785' },
        entries: [
          {
            details: [
              {
                amount: '10.00',
                remittance: {
                  structured: [
                    { reference: 'RF18 5390 0754 7034', checked: 'iso11649' },
                    { reference: '1232', type: { code: 'FI-REF', isProprietary: true }, checked: null },
                  ],
                  documents: [{ number: 'C-9', type: { code: 'CREN' } }],
                },
              },
            ],
          },
        ],
      },
    ]);
  });
});

const version8 = (inner: string) =>
  `<Document xmlns="${iso('camt.053.001.08')}"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId><CreDtTm>2026-11-20T20:00:00Z</CreDtTm></GrpHdr>` +
  `<Stmt><Id>1</Id><Acct><Id><Othr><Id>1</Id></Othr></Id></Acct>${inner}</Stmt></BkToCstmrStmt></Document>`;
const amount = (text: string) =>
  version8(`<Ntry><Amt Ccy="EUR">${text}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BkTxCd/></Ntry>`);

test.each<[string, string | Uint8Array, string]>([
  ['entities in entities', '<!DOCTYPE a [<!ENTITY b "&c;&c;"><!ENTITY c "&d;&d;">]><a>&b;</a>', 'document type'],
  [
    'a document type in UTF-16',
    Buffer.from('\ufeff<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', 'utf16le'),
    'document type',
  ],
  ['a document type after a comment', `<!-- x --><!DOCTYPE a>${version8('')}`, 'document type'],
  ['a document type inside', version8('<!DOCTYPE a>'), 'not well-formed'],
  ['an entity that nothing declares', version8('<Ntry>&bank;</Ntry>'), 'not well-formed'],
  ['half a file', version8('').slice(0, -9), 'not complete'],
  ['an older format', ':20:STARTUMS\r\n:25:10020030/1234567\r\n', 'not well-formed'],
  ['an archive', Buffer.from('PK\u0003\u0004 '), 'not well-formed'],
  ['nothing', '', 'empty'],
  ['a version that is too new', version8('').replace('.08', '.13'), 'camt.053.001.13'],
  ['another message', version8('').replace('camt.053', 'camt.052'), 'camt.052'],
  ['a sixth decimal that counts', amount('1.000001'), '1.000001'],
  ['a booked amount that the currency does not have', amount('1.00001'), '1.00001'],
  ['an exponent', amount('1e3'), '1e3'],
  ['a comma', amount('1,50'), '1,50'],
  ['a sign', amount('-1.50'), '-1.50'],
  ['no number', amount('NaN'), 'NaN'],
  ['two amounts', amount('1</Amt><Amt Ccy="EUR">2'), 'Amt'],
])('%s is refused in one sentence', async (_, content, said) => {
  const failure: unknown = await dryRun(content).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(RefusedError);
  const { message } = failure as RefusedError;
  expect(message).toContain(said);
  expect(message).toMatch(/^[^\n]{10,300}\.$|^[^\n]{10,300}\)\.$|: [^\n]{1,200}\.$/);
});

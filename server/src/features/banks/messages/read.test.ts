import { describe, expect, test } from 'vitest';
import {
  arriving,
  bal,
  camt053,
  collected,
  document,
  header,
  ibanAccount,
  ntry,
  type StatementPieces,
  stmt,
} from '../../../testing/bank-messages.ts';
import type { Entry, Statement } from './model.ts';
import type { BankFileError } from './problem.ts';
import { type BankFilePart, readBankFile } from './read.ts';

const read = (content: string): Promise<BankFilePart[]> => collected(readBankFile(arriving(content, 4096)));
const entriesOf = (parts: BankFilePart[]): Entry[] =>
  parts.flatMap((part) => (part.part === 'entry' ? part.entry : []));
const statementsOf = (parts: BankFilePart[]): Statement[] =>
  parts.flatMap((part) => (part.part === 'statement' ? part.statement : []));
const endsOf = (parts: BankFilePart[]) => parts.filter((part) => part.part === 'statementEnd');
async function entryOf(rest: string, pieces: StatementPieces = {}): Promise<Entry> {
  const [entry] = entriesOf(await read(camt053({ ...pieces, entries: ntry({ rest }) })));
  if (!entry) throw new Error('no entry');
  return entry;
}
async function refusal(content: string) {
  const error: unknown = await read(content).then(
    () => null,
    (failure: unknown) => failure,
  );
  const { problem, details } = error as BankFileError;
  return { problem, ...details };
}

describe('which messages are read', () => {
  test.each(['02', '03', '04', '05', '06', '07', '08'])('camt.053 and camt.054, version %s', async (version) => {
    const state = Number(version) < 7 ? '<Sts>BOOK</Sts>' : '<Sts><Cd>BOOK</Cd></Sts>';
    const entries = ntry({ state });
    expect(entriesOf(await read(camt053({ version, entries })))).toMatchObject([{ state: 'booked' }]);
    const notification = document(
      `camt.054.001.${version}`,
      'BkToCstmrDbtCdtNtfctn',
      `${header}<Ntfctn><Id>N-1</Id>${ibanAccount}${entries}</Ntfctn>`,
    );
    const parts = await read(notification);
    expect(parts[0]).toMatchObject({ message: { kind: 'camt.054', name: `camt.054.001.${version}`, id: 'MSG-1' } });
    expect(statementsOf(parts)).toMatchObject([{ kind: 'notification', id: 'N-1' }]);
    expect(entriesOf(parts)).toMatchObject([{ amount: { minor: 1000n } }]);
    expect(endsOf(parts)).toMatchObject([{ checks: [{ opening: null, closing: null, difference: null }] }]);
  });

  test('other versions and other messages are refused by name', async () => {
    expect(await refusal(camt053({ version: '13' }))).toEqual({
      problem: 'version',
      value: 'camt.053.001.13',
      oldest: 'camt.053.001.02',
      newest: 'camt.053.001.08',
    });
    const order = document('pain.001.001.09', 'CstmrCdtTrfInitn', header);
    expect(await refusal(order)).toEqual({ problem: 'message', value: 'pain.001.001.09' });
    expect(await refusal('<html><body/></html>')).toEqual({ problem: 'message', value: 'html' });
    expect(await refusal('<Document xmlns="urn:own"/>')).toEqual({ problem: 'message', value: 'urn:own' });
  });

  test('a message in an envelope, several of them, and names with a prefix', async () => {
    const bare = (text: string) => text.replace(/<\?.*\?>\n/, '');
    const appHdr = '<AppHdr xmlns="urn:iso:std:iso:20022:tech:xsd:head.001.001.02"><Fr/></AppHdr>';
    const one = bare(camt053({ id: 'ONE' }));
    const two = bare(camt053({ id: 'TWO' }))
      .replace('xmlns=', 'xmlns:c=')
      .replaceAll(/<(\/?)(?=[A-Z])/g, '<$1c:');
    const parts = await read(`<Envelope><Body>${appHdr}${one}</Body><Body>${appHdr}${two}</Body></Envelope>`);
    expect(statementsOf(parts).map(({ id }) => id)).toEqual(['ONE', 'TWO']);
  });

  test('a message must have its parts', async () => {
    const path = 'Document/BkToCstmrStmt';
    const missing = (content: string) => refusal(document('camt.053.001.08', 'BkToCstmrStmt', content));
    expect(await missing('')).toEqual({ problem: 'missing', path: `${path}/GrpHdr` });
    expect(await missing(stmt())).toEqual({ problem: 'missing', path: `${path}/GrpHdr` });
    expect(await missing(header)).toEqual({ problem: 'missing', path: `${path}/Stmt` });
    expect(await missing(header + header + stmt())).toMatchObject({ problem: 'twice' });
    expect(await missing('<GrpHdr><MsgId>1</MsgId></GrpHdr>')).toMatchObject({ path: `${path}/GrpHdr/CreDtTm` });
    expect(await missing(`${header}<Stmt><Id>1</Id></Stmt>`)).toMatchObject({ path: `${path}/Stmt[1]/Acct` });
    expect(await missing(header + stmt({ account: '<Acct><Id/></Acct>' }))).toMatchObject({
      problem: 'missing',
      path: `${path}/Stmt[1]/Acct/Id`,
    });
    expect(await refusal(document('camt.053.001.08', 'BkToCstmrDbtCdtNtfctn', ''))).toMatchObject({
      problem: 'missing',
      path,
    });
    const late = stmt({ account: '', entries: ibanAccount, head: ibanAccount });
    expect(await missing(header + late)).toMatchObject({ problem: 'twice', path: `${path}/Stmt[1]/Acct[2]` });
    expect(await missing(header + stmt({ entries: ntry() + ibanAccount }))).toMatchObject({ problem: 'order' });
  });
});

describe('statements', () => {
  test('several in a file, each with its account, period, pages and balances', async () => {
    const head =
      '<StmtPgntn><PgNb>2</PgNb><LastPgInd>false</LastPgInd></StmtPgntn><ElctrncSeqNb>17</ElctrncSeqNb>' +
      '<CreDtTm>2026-11-20T23:59:59.123Z</CreDtTm><FrToDt><FrDtTm>2026-11-20T00:00:00</FrDtTm><ToDtTm>2026-11-20T24:00:00</ToDtTm></FrToDt>' +
      '<CpyDplctInd>DUPL</CpyDplctInd>';
    const account =
      '<Acct><Id><Othr><Id>004-123-456789</Id><SchmeNm><Cd>BBAN</Cd></SchmeNm></Othr></Id><Ccy>JPY</Ccy><Nm>Operating</Nm>' +
      '<Ownr><Nm>Far Voyage Ltd</Nm></Ownr><Svcr><FinInstnId><BICFI>HSBCHKHHHKH</BICFI></FinInstnId></Svcr></Acct>';
    const balances =
      bal('OPBD', '1000', { currency: 'JPY' }) +
      bal('CLBD', '250.00', { currency: 'JPY', sign: 'DBIT', date: '2026-11-21' });
    const parts = await read(
      document('camt.053.001.08', 'BkToCstmrStmt', header + stmt() + stmt({ id: 'STMT-2', head, account, balances })),
    );
    expect(statementsOf(parts)[0]).toMatchObject({
      id: 'STMT-1',
      account: { iban: 'DE89370400440532013000' },
      page: null,
    });
    expect(statementsOf(parts)[1]).toEqual({
      kind: 'statement',
      id: 'STMT-2',
      createdAt: '2026-11-20T23:59:59.123Z',
      from: '2026-11-20T00:00:00',
      to: '2026-11-20T24:00:00',
      sequence: '17',
      page: { number: '2', isLast: false },
      copy: 'DUPL',
      account: {
        iban: null,
        number: '004-123-456789',
        scheme: { code: 'BBAN', isProprietary: false },
        currency: 'JPY',
        name: 'Operating',
        proxy: null,
        owner: expect.objectContaining({ name: 'Far Voyage Ltd' }),
        servicer: expect.objectContaining({ bic: 'HSBCHKHHHKH' }),
      },
    });
    expect(endsOf(parts)[1]).toMatchObject({
      balances: [
        { type: { code: 'OPBD' }, amount: { currency: 'JPY', minor: 1000n }, direction: 'credit' },
        { amount: { minor: 250n }, direction: 'debit', date: { date: '2026-11-21', dateTime: null } },
      ],
      checks: [{ opening: { minor: 1000n }, closing: { minor: -250n }, difference: -1250n }],
    });
  });

  test('a balance with a time, a sub-type and a type of the bank', async () => {
    const balance =
      '<Bal><Tp><CdOrPrtry><Prtry>OWN</Prtry></CdOrPrtry><SubTp><Cd>INTM</Cd></SubTp></Tp><Amt Ccy="EUR">1</Amt>' +
      '<CdtDbtInd>CRDT</CdtDbtInd><Dt><DtTm>2026-11-20T12:00:00+01:00</DtTm></Dt></Bal>';
    expect(endsOf(await read(camt053({ balances: balance })))).toMatchObject([
      {
        balances: [
          {
            type: { code: 'OWN', isProprietary: true },
            subType: { code: 'INTM' },
            date: { date: '2026-11-20', dateTime: '2026-11-20T12:00:00+01:00' },
          },
        ],
        checks: [{ opening: null, closing: null, difference: null }],
      },
    ]);
  });
});

describe('entries', () => {
  test('states of every version, and those of a bank', async () => {
    const stateOf = async (state: string) => entriesOf(await read(camt053({ entries: ntry({ state }) })))[0]?.state;
    expect(await stateOf('<Sts>PDNG</Sts>')).toBe('pending');
    expect(await stateOf('<Sts><Cd>INFO</Cd></Sts>')).toBe('information');
    expect(await stateOf('<Sts><Cd>FUTR</Cd></Sts>')).toBe('future');
    expect(await stateOf('<Sts><Prtry>BOOK</Prtry></Sts>')).toBe('other');
    expect(await stateOf('<Sts>NEW</Sts>')).toBe('other');
    const path = 'Document/BkToCstmrStmt/Stmt[1]/Ntry[1]/Sts';
    expect(await refusal(camt053({ entries: ntry({ state: '' }) }))).toEqual({ problem: 'missing', path });
    expect(await refusal(camt053({ entries: ntry({ state: '<Sts/>' }) }))).toEqual({ problem: 'missing', path });
  });

  test('references, reversal, dates, codes, charges by version and exchange', async () => {
    const rest =
      '<RvslInd>true</RvslInd><BookgDt><DtTm>2026-11-20T09:30:00</DtTm></BookgDt><ValDt><Dt>2026-11-23+08:00</Dt></ValDt>' +
      '<AcctSvcrRef>BANK-77</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn>' +
      '<Prtry><Cd>NTRF+166</Cd></Prtry></BkTxCd><AmtDtls><InstdAmt><Amt Ccy="USD">12.34567</Amt></InstdAmt><CntrValAmt>' +
      '<Amt Ccy="EUR">10</Amt><CcyXchg><SrcCcy>USD</SrcCcy><TrgtCcy>EUR</TrgtCcy><XchgRate>0.8123456789</XchgRate></CcyXchg>' +
      '</CntrValAmt></AmtDtls><Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">3</TtlChrgsAndTaxAmt><Rcrd><Amt Ccy="EUR">1.50</Amt>' +
      '<CdtDbtInd>DBIT</CdtDbtInd><ChrgInclInd>true</ChrgInclInd><Br>SHAR</Br></Rcrd><Rcrd><Amt Ccy="EUR">1.5</Amt></Rcrd></Chrgs>' +
      '<AddtlNtryInf>Miete</AddtlNtryInf>';
    expect(await entryOf(rest)).toMatchObject({
      accountServicerReference: 'BANK-77',
      isReversal: true,
      bookingDate: { date: '2026-11-20', dateTime: '2026-11-20T09:30:00' },
      valueDate: { date: '2026-11-23', dateTime: null },
      code: { domain: 'PMNT', family: 'RCDT', subFamily: 'ESCT', proprietary: 'NTRF+166' },
      amounts: {
        instructed: { currency: 'USD', amount: '12.34567' },
        counterValue: { currency: 'EUR', amount: '10' },
        exchange: { source: 'USD', target: 'EUR', rate: '0.8123456789' },
      },
      charges: [
        { amount: { currency: 'EUR', amount: '1.50' }, direction: 'debit', isIncluded: true, bearer: 'SHAR' },
        { amount: { amount: '1.50' }, direction: null, isIncluded: null },
      ],
      additional: 'Miete',
    });
    const before =
      '<Chrgs><Amt Ccy="EUR">1</Amt></Chrgs><Chrgs><Amt Ccy="EUR">2</Amt><CdtDbtInd>CRDT</CdtDbtInd></Chrgs>';
    expect((await entryOf(before, { version: '02' })).charges).toMatchObject([
      { amount: { amount: '1.00' } },
      { amount: { amount: '2.00' }, direction: 'credit' },
    ]);
    const total = '<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">3</TtlChrgsAndTaxAmt></Chrgs>';
    expect((await entryOf(total)).charges).toMatchObject([{ amount: { amount: '3.00' } }]);
    const fine = '<Chrgs><Rcrd><Amt Ccy="EUR">0.12345</Amt></Rcrd></Chrgs>';
    expect((await entryOf(fine)).charges).toMatchObject([{ amount: { amount: '0.12345' } }]);
  });

  test('parties, accounts and banks of version 8 and of version 2 are the same', async () => {
    const inner = (party: (name: string) => string, bic: string) =>
      `<NtryDtls><TxDtls><RltdPties><Dbtr>${party('Ann Lee')}</Dbtr><DbtrAcct><Id><IBAN>GB29 NWBK 6016 1331 9268 19</IBAN></Id></DbtrAcct>` +
      `<UltmtDbtr>${party('Uncle')}</UltmtDbtr><Cdtr>${party('Far Voyage')}</Cdtr><UltmtCdtr>${party('Daughter')}</UltmtCdtr></RltdPties>` +
      `<RltdAgts><DbtrAgt><FinInstnId><${bic}>NWBKGB2L</${bic}><ClrSysMmbId><ClrSysId><Cd>GBDSC</Cd></ClrSysId><MmbId>601613</MmbId></ClrSysMmbId></FinInstnId></DbtrAgt></RltdAgts></TxDtls></NtryDtls>`;
    const party = (name: string) =>
      `<Nm>${name}</Nm><PstlAdr><StrtNm>Queen's Road</StrtNm><BldgNb>1</BldgNb><TwnNm>Hong Kong</TwnNm><Ctry>HK</Ctry></PstlAdr><Id><OrgId><Othr><Id>BR-1</Id></Othr></OrgId></Id>`;
    const eighth = await entryOf(inner((name) => `<Pty>${party(name)}</Pty>`, 'BICFI'));
    const second = await entryOf(inner(party, 'BIC'), { version: '02' });
    expect(second).toEqual(eighth);
    expect(eighth.details).toMatchObject([
      {
        debtor: {
          name: 'Ann Lee',
          country: 'HK',
          town: 'Hong Kong',
          addressLines: ["Queen's Road 1"],
          identifications: [{ id: 'BR-1' }],
        },
        debtorAccount: { iban: 'GB29NWBK60161331926819' },
        debtorAgent: { bic: 'NWBKGB2L', clearingSystem: { code: 'GBDSC' }, clearingMember: '601613' },
        ultimateDebtor: { name: 'Uncle' },
        creditor: { name: 'Far Voyage' },
        ultimateCreditor: { name: 'Daughter' },
      },
    ]);
    const bank =
      '<NtryDtls><TxDtls><RltdPties><Dbtr><Agt><FinInstnId><BICFI>DEUTDEFF</BICFI></FinInstnId></Agt></Dbtr></RltdPties></TxDtls></NtryDtls>';
    expect((await entryOf(bank)).details).toMatchObject([{ debtor: { bic: 'DEUTDEFF', name: null }, creditor: null }]);
  });

  test('an entry without details, and an entry without parties', async () => {
    expect((await entryOf('')).details).toEqual([]);
    expect((await entryOf('<NtryDtls/>')).details).toEqual([]);
    const [detail] = (await entryOf('<NtryDtls><TxDtls><RltdPties><Dbtr><Pty/></Dbtr></RltdPties></TxDtls></NtryDtls>'))
      .details;
    expect(detail).toMatchObject({ debtor: null, creditor: null, amount: { minor: 1000n }, direction: 'credit' });
  });

  test('references of every kind, and remittance', async () => {
    const refs =
      '<Refs><MsgId>M</MsgId><AcctSvcrRef>A</AcctSvcrRef><PmtInfId>P</PmtInfId><InstrId>I</InstrId><EndToEndId>NOTPROVIDED</EndToEndId>' +
      '<UETR>EB6305C9-1F7F-49DE-AED0-16487C27B42D</UETR><TxId>T</TxId><MndtId>D</MndtId><ClrSysRef>C</ClrSysRef><Prtry><Tp>FX</Tp><Ref>9</Ref></Prtry></Refs>';
    const ref = (kind: string, reference: string) =>
      `<Strd><CdtrRefInf><Tp><CdOrPrtry>${kind}</CdOrPrtry><Issr>ISO</Issr></Tp><Ref>${reference}</Ref></CdtrRefInf></Strd>`;
    const rmt =
      `<RmtInf><Ustrd>Invoice 7</Ustrd><Ustrd>and 8</Ustrd>${ref('<Cd>SCOR</Cd>', 'RF18539007547034')}${ref('<Cd>SCOR</Cd>', 'RF19539007547034')}` +
      `${ref('<Prtry>QRR</Prtry>', '210000000003139471430009017')}<Strd><RfrdDocInf><Tp><CdOrPrtry><Cd>CINV</Cd></CdOrPrtry></Tp><Nb>INV-7</Nb>` +
      '<RltdDt>2026-11-01</RltdDt></RfrdDocInf><AddtlRmtInf>thanks</AddtlRmtInf></Strd></RmtInf>';
    const [detail] = (await entryOf(`<NtryDtls><TxDtls>${refs}<Purp><Cd>SUPP</Cd></Purp>${rmt}</TxDtls></NtryDtls>`))
      .details;
    expect(detail).toMatchObject({
      references: {
        message: 'M',
        accountServicer: 'A',
        paymentInformation: 'P',
        instruction: 'I',
        endToEnd: null,
        uetr: 'eb6305c9-1f7f-49de-aed0-16487c27b42d',
        transaction: 'T',
        mandate: 'D',
        clearing: 'C',
        proprietary: [{ type: 'FX', reference: '9' }],
      },
      purpose: { code: 'SUPP', isProprietary: false },
      remittance: {
        unstructured: ['Invoice 7', 'and 8'],
        structured: [
          { type: { code: 'SCOR' }, issuer: 'ISO', reference: 'RF18539007547034', checked: 'iso11649' },
          { reference: 'RF19539007547034', checked: null },
          { type: { code: 'QRR', isProprietary: true }, checked: 'swissQr' },
        ],
        documents: [{ type: { code: 'CINV' }, number: 'INV-7', date: '2026-11-01' }],
        additional: ['thanks'],
      },
    });
    const own =
      '<NtryDtls><TxDtls><Refs><Prtry><Tp>UETR</Tp><Ref>eb6305c9-1f7f-49de-aed0-16487c27b42d</Ref></Prtry></Refs></TxDtls></NtryDtls>';
    expect((await entryOf(own, { version: '02' })).details[0]?.references.uetr).toBe(
      'eb6305c9-1f7f-49de-aed0-16487c27b42d',
    );
  });

  test('a return with its reason', async () => {
    const rtr =
      '<RtrInf><Orgtr><Nm>Their Bank</Nm></Orgtr><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>closed</AddtlInf><AddtlInf>in May</AddtlInf></RtrInf>';
    expect((await entryOf(`<NtryDtls><TxDtls>${rtr}</TxDtls></NtryDtls>`)).details[0]?.returned).toEqual({
      reason: { code: 'AC04', isProprietary: false },
      originator: expect.objectContaining({ name: 'Their Bank' }),
      texts: ['closed', 'in May'],
    });
  });
});

describe('a batch is one money', () => {
  const detail = (amount: string) => `<TxDtls><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></TxDtls>`;
  const batch = (count: number) => `<Btch><PmtInfId>PI-1</PmtInfId><NbOfTxs>${count}</NbOfTxs></Btch>`;
  const balances = bal('OPBD', '0') + bal('CLBD', '10');

  test('one entry with its details, which are not added to it', async () => {
    const rest = `<NtryDtls>${batch(3)}${detail('4')}${detail('5.99')}${detail('0.01')}</NtryDtls>`;
    const parts = await read(camt053({ balances, entries: ntry({ rest }) }));
    expect(entriesOf(parts)).toMatchObject([
      {
        amount: { minor: 1000n },
        batches: [{ paymentInformation: 'PI-1', count: 3 }],
        details: [{ amount: { minor: 400n } }, { amount: { minor: 599n } }, { amount: { minor: 1n } }],
      },
    ]);
    expect(endsOf(parts)).toMatchObject([{ checks: [{ credits: 1000n, difference: 0n }], findings: [] }]);
  });

  test('without details, and with one detail that is not the whole', async () => {
    expect(await entryOf(`<NtryDtls>${batch(3)}</NtryDtls>`)).toMatchObject({ batches: [{ count: 3 }], details: [] });
    const [lone] = (await entryOf(`<NtryDtls>${batch(3)}<TxDtls><Refs/></TxDtls></NtryDtls>`)).details;
    expect(lone?.amount).toBeNull();
  });

  test('of version 2, whose parts have the amount of their transaction', async () => {
    const part = (amount: string, currency: string) =>
      `<TxDtls><AmtDtls><TxAmt><Amt Ccy="${currency}">${amount}</Amt></TxAmt></AmtDtls></TxDtls>`;
    const rest = `<NtryDtls>${part('4', 'EUR')}${part('6.50000', 'EUR')}${part('1', 'USD')}</NtryDtls>`;
    const { details } = await entryOf(rest, { version: '02' });
    expect(details.map(({ amount }) => amount?.minor ?? null)).toEqual([400n, 650n, null]);
  });

  test('two equal entries are two', async () => {
    const parts = await read(camt053({ balances: bal('OPBD', '0') + bal('CLBD', '20'), entries: ntry() + ntry() }));
    expect(entriesOf(parts)).toHaveLength(2);
    expect(endsOf(parts)).toMatchObject([{ checks: [{ credits: 2000n, difference: 0n }] }]);
  });
});

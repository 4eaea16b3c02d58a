import { expect, test } from 'vitest';
import { arriving, collected, document, header } from '../../../testing/bank-messages.ts';
import type { BankFileError } from './problem.ts';
import { type BankFilePart, readBankFile } from './read.ts';

const read = (content: string): Promise<BankFilePart[]> => collected(readBankFile(arriving(content)));
const report = (inner: string, version = '10') => document(`pain.002.001.${version}`, 'CstmrPmtStsRpt', header + inner);
const group = (rest: string) =>
  `<OrgnlGrpInfAndSts><OrgnlMsgId>OUT-1</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>${rest}</OrgnlGrpInfAndSts>`;
const reason = (code: string, text: string) =>
  `<StsRsnInf><Orgtr><Nm>Bank</Nm></Orgtr><Rsn><Cd>${code}</Cd></Rsn><AddtlInf>${text}</AddtlInf></StsRsnInf>`;
const transaction =
  '<TxInfAndSts><StsId>S-1</StsId><OrgnlInstrId>I-1</OrgnlInstrId><OrgnlEndToEndId>E-1</OrgnlEndToEndId>' +
  '<OrgnlUETR>EB6305C9-1F7F-49DE-AED0-16487C27B42D</OrgnlUETR><TxSts>RJCT</TxSts>' +
  `${reason('AC04', 'Account closed')}<AccptncDtTm>2026-11-20T10:00:00Z</AccptncDtTm><AcctSvcrRef>B-9</AcctSvcrRef>` +
  '<OrgnlTxRef><Amt><InstdAmt Ccy="HKD">100.50</InstdAmt></Amt><Cdtr><Pty><Nm>Ann</Nm></Pty></Cdtr>' +
  '<CdtrAcct><Id><Othr><Id>123</Id></Othr></Id></CdtrAcct></OrgnlTxRef></TxInfAndSts>';

test.each(['03', '06', '09', '10', '11'])('a report of version %s: message, batches, transactions', async (version) => {
  const counts = '<NbOfTxsPerSts><DtldNbOfTxs>1</DtldNbOfTxs><DtldSts>RJCT</DtldSts></NbOfTxsPerSts>';
  const batch = (id: string, rest: string) =>
    `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${id}</OrgnlPmtInfId>${rest}</OrgnlPmtInfAndSts>`;
  const parts = await read(
    report(
      group('<OrgnlNbOfTxs>3</OrgnlNbOfTxs><GrpSts>PART</GrpSts>') +
        batch('PI-1', `<PmtInfSts>ACSP</PmtInfSts>${counts}${transaction}${transaction}`) +
        batch('PI-2', '<PmtInfSts>ACSC</PmtInfSts>'),
      version,
    ),
  );
  expect(parts.map(({ part }) => part)).toEqual([
    'message',
    'groupStatus',
    'batchStatus',
    'transactionStatus',
    'transactionStatus',
    'batchStatus',
  ]);
  expect(parts[1]).toMatchObject({
    status: { originalMessage: 'OUT-1', originalName: 'pain.001.001.09', state: 'partly', status: 'PART', count: 3 },
  });
  expect(parts[2]).toMatchObject({
    status: { paymentInformation: 'PI-1', state: 'accepted', countsByStatus: [{ status: 'RJCT', count: 1 }] },
  });
  expect(parts[3]).toMatchObject({
    status: {
      paymentInformation: 'PI-1',
      id: 'S-1',
      instruction: 'I-1',
      endToEnd: 'E-1',
      uetr: 'eb6305c9-1f7f-49de-aed0-16487c27b42d',
      state: 'rejected',
      status: 'RJCT',
      reasons: [{ reason: { code: 'AC04' }, originator: { name: 'Bank' }, texts: ['Account closed'] }],
      acceptedAt: '2026-11-20T10:00:00Z',
      accountServicerReference: 'B-9',
      amount: { currency: 'HKD', amount: '100.5' },
      creditor: { name: 'Ann' },
      creditorAccount: { number: '123' },
    },
  });
  expect(parts[5]).toMatchObject({ status: { paymentInformation: 'PI-2', state: 'settled' } });
});

test('every status that banks give has a meaning, others are shown as they are, none is none', async () => {
  const stateOf = async (status: string) => {
    const [, part] = await read(report(group(status === '' ? '' : `<GrpSts>${status}</GrpSts>`)));
    return part?.part === 'groupStatus' ? part.status.state : undefined;
  };
  const states = {
    RCVD: 'received',
    ACTC: 'accepted',
    ACCP: 'accepted',
    ACSP: 'accepted',
    ACWC: 'accepted',
    ACSC: 'settled',
    ACCC: 'settled',
    PDNG: 'pending',
    PART: 'partly',
    RJCT: 'rejected',
    CANC: 'cancelled',
    XXXX: 'other',
    '': null,
  };
  for (const [status, state] of Object.entries(states)) expect(await stateOf(status)).toBe(state);
});

test('the namespace of the Swiss banks is known', async () => {
  const swiss = report(group('<GrpSts>ACTC</GrpSts>'), '03').replace(
    /xmlns="[^"]*"/,
    'xmlns="http://www.six-interbank-clearing.com/de/pain.002.001.03.ch.02.xsd"',
  );
  expect((await read(swiss))[0]).toMatchObject({ message: { name: 'pain.002.001.03' } });
});

test('what is missing or comes too late is refused with its path', async () => {
  const refusal = async (content: string) => {
    const error: unknown = await read(content).catch((failure: unknown) => failure);
    const { problem, details } = error as BankFileError;
    return { problem, path: details['path'] };
  };
  const body = 'Document/CstmrPmtStsRpt';
  expect(await refusal(report(''))).toEqual({ problem: 'missing', path: `${body}/OrgnlGrpInfAndSts` });
  expect(
    await refusal(report(group('<GrpSts>PART</GrpSts>').replace('OrgnlMsgNmId>', 'X>').replace('/OrgnlMsgNmId', '/X'))),
  ).toEqual({
    problem: 'missing',
    path: `${body}/OrgnlGrpInfAndSts/OrgnlMsgNmId`,
  });
  expect(await refusal(report(group('<OrgnlNbOfTxs>many</OrgnlNbOfTxs>')))).toEqual({
    problem: 'number',
    path: `${body}/OrgnlGrpInfAndSts/OrgnlNbOfTxs`,
  });
  const late =
    '<OrgnlPmtInfAndSts><OrgnlPmtInfId>P</OrgnlPmtInfId><TxInfAndSts/><PmtInfSts>RJCT</PmtInfSts></OrgnlPmtInfAndSts>';
  expect(await refusal(report(group('') + late))).toEqual({
    problem: 'order',
    path: `${body}/OrgnlPmtInfAndSts[1]/PmtInfSts`,
  });
});

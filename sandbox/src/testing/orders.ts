/** Payment files for tests of the bank, as a customer's system writes them. */

export type TestPayment = {
  endToEndId: string;
  amount: string;
  currency?: string;
  uetr?: string;
  payee?: string;
  account?: string;
  agent?: string;
  address?: string;
  text?: string;
};

export const LOCAL_AGENT = '<ClrSysMmbId><ClrSysId><Cd>HKNCC</Cd></ClrSysId><MmbId>004</MmbId></ClrSysMmbId>';
export const ADDRESS = '<PstlAdr><TwnNm>London</TwnNm><Ctry>GB</Ctry></PstlAdr>';

export function orderFile(
  messageId: string,
  payments: readonly TestPayment[],
  { account = '998001000000344', date = '2026-11-23', count = String(payments.length), sum = '' } = {},
): string {
  const lines = payments.map((payment) => {
    const { endToEndId, amount, currency = 'HKD', uetr, text } = payment;
    const ids = `<InstrId>${endToEndId}</InstrId><EndToEndId>${endToEndId}</EndToEndId>${uetr === undefined ? '' : `<UETR>${uetr}</UETR>`}`;
    return [
      `<CdtTrfTxInf><PmtId>${ids}</PmtId><Amt><InstdAmt Ccy="${currency}">${amount}</InstdAmt></Amt><ChrgBr>SHAR</ChrgBr>`,
      `<CdtrAgt><FinInstnId>${payment.agent ?? LOCAL_AGENT}</FinInstnId></CdtrAgt>`,
      `<Cdtr><Nm>${payment.payee ?? 'Wong Trading Ltd'}</Nm>${payment.address ?? ''}</Cdtr>`,
      `<CdtrAcct><Id><Othr><Id>${payment.account ?? '123456789'}</Id></Othr></Id></CdtrAcct>`,
      text === undefined ? '' : `<RmtInf><Ustrd>${text}</Ustrd></RmtInf>`,
      '</CdtTrfTxInf>',
    ].join('');
  });
  const totals = `<NbOfTxs>${count}</NbOfTxs>${sum === '' ? '' : `<CtrlSum>${sum}</CtrlSum>`}`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>',
    `<GrpHdr><MsgId>${messageId}</MsgId><CreDtTm>2026-11-23T02:00:00Z</CreDtTm>${totals}<InitgPty><Nm>Causeway</Nm></InitgPty></GrpHdr>`,
    `<PmtInf><PmtInfId>${messageId}-1</PmtInfId><PmtMtd>TRF</PmtMtd><ReqdExctnDt><Dt>${date}</Dt></ReqdExctnDt><Dbtr><Nm>Causeway</Nm></Dbtr>`,
    `<DbtrAcct><Id><Othr><Id>${account}</Id></Othr></Id></DbtrAcct><DbtrAgt><FinInstnId><BICFI>HRBRHKHH</BICFI></FinInstnId></DbtrAgt>`,
    ...lines,
    '</PmtInf></CstmrCdtTrfInitn></Document>',
  ].join('');
}

import { type BatchField, batchFields } from '@causeway/contract/batches-rules.ts';
import { locales } from '@causeway/contract/locale.ts';
import { translate } from '../../../platform/text/texts.ts';

/** Which column is which field: by what people call it, in the three languages of the console and as banks' exports do. */

export type Mapping = Partial<Record<BatchField, number>>;

/** Beside the names of the template, `batches.column.<field>`. */
const further: Record<BatchField, readonly string[]> = {
  payee: [
    'payee',
    'beneficiary',
    'payee label',
    'saved payee',
    'recipient',
    'pay to',
    'supplier',
    'vendor',
    '收款人',
    '收款方',
    '受益人',
    '供應商',
    '供应商',
  ],
  account: [
    'account',
    'account no',
    'account number',
    'iban',
    'address',
    'acct no',
    'wallet',
    'wallet no',
    'wallet address',
    'to address',
    'receiving address',
    'destination address',
    'beneficiary address',
    'beneficiary wallet',
    'payee address',
    'payee wallet',
    'recipient address',
    'beneficiary account',
    'payee account',
    '帳號',
    '账号',
    '賬號',
    '賬戶號碼',
    '账户号码',
    '地址',
    '收款地址',
    '收款人地址',
    '收款方地址',
    '受益人地址',
    '錢包',
    '钱包',
    '錢包地址',
    '钱包地址',
    '收款錢包',
    '收款钱包',
    '收款帳號',
    '收款賬號',
    '收款账号',
    '收款戶口',
    '收款账户',
    '戶口',
    '戶口號碼',
    '账户',
  ],
  asset: ['asset', 'currency', 'coin', 'ccy', 'token', '貨幣', '货币', '币种', '幣種', '币别'],
  place: [
    'network',
    'chain',
    'bank or network',
    'from bank',
    'paying bank',
    'place',
    '網絡',
    '网络',
    '鏈',
    '链',
    '付款銀行',
    '付款银行',
  ],
  amount: ['amount', 'payment amount', 'amt', 'value', 'sum', '金額', '金额', '數額', '数额', '付款金額', '付款金额'],
  remittance: [
    'remittance',
    'remittance information',
    'ref',
    'ref no',
    'reference',
    'reference no',
    'payment ref',
    'payment reference',
    'message',
    'details',
    '附言',
    '參考',
    '参考',
    '參考編號',
    '参考编号',
    '參考號',
    '参考号',
    '用途說明',
    '付款附言',
    '轉帳附言',
    '转账附言',
  ],
  invoiceNumber: ['invoice', 'invoice no', 'invoice number', '發票號碼', '发票号码', '發票號', '发票号', '单据号'],
  category: ['category', 'cost centre', 'cost center', '類別', '类别', '分類', '分类'],
  notes: ['note', 'notes', 'memo', 'remark', 'remarks', 'comment', '備註', '备注', '备注说明'],
  purpose: ['purpose', 'purpose code', '用途', '付款用途'],
  charges: ['charges', 'charge bearer', 'fees paid by', '費用承擔', '费用承担', '手續費承擔', '手续费承担'],
  feeLevel: ['fee level', 'network fee', 'priority', '礦工費', '矿工费', '手續費等級', '手续费等级'],
  name: [
    'name',
    'account name',
    'account holder',
    'beneficiary name',
    'payee name',
    'holder name',
    '戶名',
    '户名',
    '帳戶名稱',
    '账户名称',
    '收款人名稱',
    '收款人名称',
    '姓名',
  ],
  holder: ['holder', 'holder type', 'payee type', 'account type of holder', '持有人類型', '持有人类型'],
  country: ['country', 'country code', 'bank country', '國家', '国家', '國家代碼', '国家代码'],
  bic: ['bic', 'swift', 'swift code', 'swift bic', 'bic code'],
  bankCode: [
    'bank code',
    'clearing code',
    'routing number',
    'sort code',
    'bsb',
    'cnaps',
    'ifsc',
    '銀行代碼',
    '银行代码',
    '聯行號',
    '联行号',
    '行号',
  ],
  branchCode: ['branch code', 'branch', '分行代碼', '分行代码', '支行代码'],
  accountType: ['account type', '帳戶類型', '账户类型'],
  addressLine1: ['address line 1', 'street', '街道', '詳細地址', '详细地址'],
  town: ['town', 'city', '城市', '市'],
  postcode: ['postcode', 'postal code', 'zip', 'zip code', '郵政編碼', '邮政编码', '邮编'],
};

/** A name without case, width, white space and signs. */
function plain(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_\-./:*#()[\]"']/g, '');
}

const known: ReadonlyMap<string, BatchField> = new Map(
  batchFields.flatMap((field) => [field, ...further[field]].map((name) => [plain(name), field] as const)),
);

/** The column that says what is wrong, in a file of the wrong rows that was mended and comes back. */
export function isReasons(column: string): boolean {
  return locales.some((locale) => plain(translate(locale, 'batches.column.reasons')) === plain(column));
}

/** Each column whose name is known; of two with the same meaning the first. */
export function matchColumns(columns: readonly string[]): Mapping {
  const mapping: Mapping = {};
  const own = new Map(
    batchFields.flatMap((field) =>
      locales.map((locale) => [plain(translate(locale, `batches.column.${field}`)), field] as const),
    ),
  );
  for (const [place, column] of columns.entries()) {
    const field = own.get(plain(column)) ?? known.get(plain(column));
    if (field !== undefined) mapping[field] ??= place;
  }
  return mapping;
}

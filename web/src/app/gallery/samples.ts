import type { Locale } from '@causeway/contract/locale.ts';

/** Words for the gallery, written in each language; no page shows them. */
interface Samples {
  save: string;
  send: string;
  remove: string;
  email: string;
  password: string;
  code: string;
  amount: string;
  notes: string;
  coin: string;
  payee: string;
  period: string;
  attachments: string;
  agree: string;
  hint: string;
  wrong: string;
  balance: string;
  completed: string;
  pending: string;
  failed: string;
  waiting: string;
  description: string;
  time: string;
  status: string;
  emptyTitle: string;
  emptyText: string;
  confirmTitle: string;
  confirmText: string;
  lookalike: string;
  stale: string;
  steps: readonly string[];
  stages: readonly string[];
  company: string;
  departments: readonly string[];
  batch: string;
}

const english: Samples = {
  save: 'Save',
  send: 'Send',
  remove: 'Delete',
  email: 'Email',
  password: 'Password',
  code: 'Verification code',
  amount: 'Amount',
  notes: 'Notes',
  coin: 'Coin',
  payee: 'Payee',
  period: 'Period',
  attachments: 'Attachments',
  agree: 'I have read and agree to the terms',
  hint: 'Used for sign-in and for notices',
  wrong: 'Please enter a valid email address',
  balance: 'Available balance',
  completed: 'Completed',
  pending: 'Pending',
  failed: 'Failed',
  waiting: 'Waiting for 7 of 12 confirmations since 14:02',
  description: 'Description',
  time: 'Time',
  status: 'Status',
  emptyTitle: 'No payees yet',
  emptyText: 'Payees you save here can be chosen when you transfer out.',
  confirmTitle: 'Send this transfer?',
  confirmText: 'It cannot be taken back once it has been handed to signing.',
  lookalike: 'Begins and ends like “Pacific Metals”, but is another address',
  stale: 'Prices are 12 minutes old; fiat values may be off.',
  steps: ['Choose payee', 'Pay', 'Send voucher'],
  stages: ['Submitted', 'Signed', 'Broadcast', 'Confirmed'],
  company: 'Harbour Trading Limited',
  departments: ['Head office', 'Finance', 'Treasury', 'Operations'],
  batch: 'Checking rows',
};

const traditional: Samples = {
  save: '儲存',
  send: '發送',
  remove: '刪除',
  email: '電郵',
  password: '密碼',
  code: '驗證碼',
  amount: '金額',
  notes: '備註',
  coin: '幣種',
  payee: '收款人',
  period: '期間',
  attachments: '附件',
  agree: '我已閱讀並同意有關條款',
  hint: '用於登入及接收通知',
  wrong: '請輸入有效的電郵地址',
  balance: '可用結餘',
  completed: '已完成',
  pending: '處理中',
  failed: '失敗',
  waiting: '自 14:02 起等候確認，已有 7／12 次',
  description: '描述',
  time: '時間',
  status: '狀態',
  emptyTitle: '尚未有收款人',
  emptyText: '在此儲存的收款人，轉出時可直接選用。',
  confirmTitle: '確定發送此筆轉帳？',
  confirmText: '一經交付簽署便無法收回。',
  lookalike: '首尾與「太平洋金屬」相同，但並非同一地址',
  stale: '價格為 12 分鐘前的數據，法幣估值或有偏差。',
  steps: ['選擇收款人', '付款', '提交憑證'],
  stages: ['已提交', '已簽署', '已廣播', '已確認'],
  company: '海港貿易有限公司',
  departments: ['總公司', '財務部', '司庫組', '營運部'],
  batch: '正在檢查各行',
};

const simplified: Samples = {
  save: '保存',
  send: '发送',
  remove: '删除',
  email: '邮箱',
  password: '密码',
  code: '验证码',
  amount: '金额',
  notes: '备注',
  coin: '币种',
  payee: '收款人',
  period: '时间范围',
  attachments: '附件',
  agree: '我已阅读并同意相关条款',
  hint: '用于登录和接收通知',
  wrong: '请输入有效的邮箱地址',
  balance: '可用余额',
  completed: '已完成',
  pending: '处理中',
  failed: '失败',
  waiting: '自 14:02 起等待确认，已有 7/12 次',
  description: '描述',
  time: '时间',
  status: '状态',
  emptyTitle: '还没有收款人',
  emptyText: '保存在这里的收款人，转出时可以直接选择。',
  confirmTitle: '确定发送这笔转账吗？',
  confirmText: '一旦交付签名便无法撤回。',
  lookalike: '首尾与“太平洋金属”相同，但不是同一地址',
  stale: '价格为 12 分钟前的数据，法币估值可能有偏差。',
  steps: ['选择收款人', '付款', '提交凭证'],
  stages: ['已提交', '已签名', '已广播', '已确认'],
  company: '海港贸易有限公司',
  departments: ['总公司', '财务部', '资金组', '运营部'],
  batch: '正在检查各行',
};

export const samples: Record<Locale, Samples> = { 'en-us': english, 'zh-hk': traditional, 'zh-cn': simplified };

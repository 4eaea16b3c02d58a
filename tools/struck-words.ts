/**
 * Expressions that the texts of screens, mails and documents handed out no longer use, by language, with the better word. The
 * settled words are in docs/GLOSSARY.md; `check-texts.ts` refuses these in the catalogues.
 */
export interface StruckWord {
  words: RegExp;
  better: string;
}

const english: StruckWord[] = [
  { words: /\bas the system\b/i, better: 'System' },
  { words: /\bwhat (?:i|you) wait for\b/i, better: 'Waiting on others' },
  { words: /\bnothing waits for you\b/i, better: 'You’re all caught up' },
  { words: /\bwill be told\b|\bwill stand here\b/i, better: 'appear here' },
  { words: /\bwhat was (?:asked|applied for|to be approved)\b/i, better: 'the noun: Checks, Request' },
  { words: /\blet pass\b/i, better: 'Passed' },
  { words: /\b(?:policies are|policy is) asked\b/i, better: 'checked' },
  { words: /\bwhat to look at\b/i, better: 'Before you decide' },
  { words: /\bproves? this\b.*\balone\b/i, better: 'valid for this … only' },
  { words: /\btalk you out of\b|\btrick you into\b/i, better: 'cannot be phished' },
  { words: /\b(?:is|are|was|were) not right\b/i, better: 'is incorrect' },
  { words: /\bneed not do anything\b/i, better: 'you can ignore this email' },
  { words: /\bnobody\b|\bsomebody\b|\bwhoever\b/i, better: 'the subject: the member, the approver; or "no one"' },
  { words: /\bRefund of a transfer\b/i, better: 'Transfer refund' },
  {
    words:
      /\b(?:transfers?|transactions?|payments?|policy|policies|list|it)(?: (?:is|are|was|were|has|have|had|been|would|will|be|that|this|which))* block(?:s|ed)?\b/i,
    better: 'stopped: a block is of a chain',
  },
  { words: /\bintercept(?:s|ed|ion|ions)?\b/i, better: 'stopped' },
  {
    words:
      /\b(?:author|organ|reorgan|recogn|capital|custom|summar|normal|neutral|minim|optim|priorit|final|initial|categor)iz(?:e|ed|es|ing|ation|ations)\b/i,
    better: 'British spelling: -ise, -isation',
  },
  {
    words: /\bcancel(?:ed|ing)\b|\b(?:center|color|favor|behavior)s?\b/i,
    better: 'cancelled, centre, colour, favour, behaviour',
  },
  { words: /\banew\b|\bby (?:itself|themselves)\b|\bas it stands\b/i, better: 'again; automatically; current' },
];

const hongKong: StruckWord[] = [
  { words: /紀錄/, better: '記錄' },
  { words: /名單記錄/, better: '名單項目' },
  { words: /名冊/, better: '地址簿' },
  { words: /存款/, better: '充值；存入款項' },
  { words: /風險設定|風險檢查|風險控制措施/, better: '風控設定；風控檢查' },
  { words: /風控策略/, better: '風控政策' },
  { words: /尚未建成/, better: '功能尚未推出' },
  { words: /限制業務/, better: '適用業務' },
  { words: /時間限制/, better: '統計週期' },
  { words: /在途入帳/, better: '待入帳' },
  { words: /我正在等待/, better: '等待他人處理' },
  { words: /估算價格截至/, better: '按…價格估算' },
  { words: /轉帳已匯出/, better: '轉帳已轉出' },
  { words: /申請到期日數|提示相隔/, better: '審批期限（日）；提醒間隔（小時）' },
  { words: /加密貨幣提[款取]/, better: '提幣' },
  { words: /批准成功|拒絕成功/, better: '已批准；已拒絕' },
  { words: /寄到|寄往|寄給/, better: '發送至' },
  { words: /可略過驗證的瀏覽器/, better: '受信任的瀏覽器' },
  { words: /沒有名單或政策/, better: '未觸及任何名單或政策' },
  { words: /法幣/, better: '法定貨幣' },
  { words: /區塊重組/, better: '鏈重組' },
  { words: /截停|攔下/, better: '攔截' },
];

const mainland: StruckWord[] = [
  { words: /名单记录/, better: '名单条目' },
  { words: /名册/, better: '地址簿' },
  { words: /风险设置|风险检查/, better: '风控设置；风控检查' },
  { words: /尚未建成/, better: '功能暂未上线' },
  { words: /限制业务/, better: '适用业务' },
  { words: /时间限制/, better: '统计周期' },
  { words: /入账途中/, better: '待入账' },
  { words: /我(?:正在|在)等待/, better: '等待他人处理' },
  { words: /估算价格截至/, better: '按…价格估算' },
  { words: /加密货币提[款现]/, better: '提币' },
  { words: /通过成功|拒绝成功/, better: '已通过；已拒绝' },
  { words: /签署前/, better: '签名前' },
  { words: /邮件验证码/, better: '邮箱验证码' },
  { words: /可跳过验证的浏览器/, better: '受信任的浏览器' },
  { words: /区块重组/, better: '链重组' },
  { words: /截停|拦下/, better: '拦截' },
];

export const struckWords: Partial<Record<string, readonly StruckWord[]>> = {
  'en-us': english,
  'zh-hk': hongKong,
  'zh-cn': mainland,
};

/** What is wrong with a text, or null. */
export function struckIn(locale: string, text: string): string | null {
  for (const { words, better } of struckWords[locale] ?? []) {
    const found = words.exec(text)?.[0];
    if (found !== undefined) return `"${found}"; write: ${better}`;
  }
  return null;
}

import { type Inbox, startInbox } from '@causeway/sandbox/inbox.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { layOut, type Mailer, smtpMailer } from './mail.ts';

let inbox: Inbox;
let mailer: Mailer;
beforeAll(async () => {
  inbox = await startInbox();
  mailer = smtpMailer(inbox.url, 'Causeway <no-reply@causeway.example>');
});
afterAll(async () => {
  mailer.close();
  await inbox.stop();
});

test.each([
  ['https', ['List-Unsubscribe-Post: List-Unsubscribe=One-Click']],
  // One click is for HTTPS alone.
  ['http', []],
])('a letter that can be ended says where, over %s', async (scheme, also) => {
  const to = `${scheme}@example.com`;
  const unsubscribe = `${scheme}://causeway.example/pay/${'x'.repeat(32)}/unsubscribe/${'y'.repeat(43)}`;
  await mailer.send({ ...layOut(to, 'en-us', letter), unsubscribe });
  const [mail] = inbox.list(to);
  expect(mail?.unsubscribe).toEqual([`List-Unsubscribe: <${unsubscribe}>`, ...also]);
});

const letter = {
  subject: '123456 是你的\r\nBcc: thief@example.com',
  paragraphs: ['請輸入驗證碼', '如非你本人操作'],
  code: '123456',
  facts: [{ label: 'Payee', value: '<img src=x onerror=alert(1)>\nAmount: 1' }],
  link: { label: '登入', url: 'https://causeway.example/sign-in' },
};

test('a letter arrives as text and HTML, in its language, with nothing that was typed taking effect', async () => {
  await mailer.send(layOut('wong@example.com', 'zh-hk', letter));
  const [mail] = inbox.list('wong@example.com');
  expect(mail).toMatchObject({
    to: ['wong@example.com'],
    from: expect.stringContaining('no-reply@causeway.example'),
    subject: '123456 是你的 Bcc: thief@example.com',
    language: 'zh-HK',
  });
  expect(inbox.list('thief')).toEqual([]);
  expect(mail?.codes).toContain('123456');
  expect(mail?.text).toContain('Payee：<img src=x onerror=alert(1)> Amount: 1');
  expect(mail?.text).toContain('登入：\nhttps://causeway.example/sign-in\n');
  expect(mail?.html).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(mail?.html).not.toContain('<img');
  expect(mail?.html).toContain('<a href="https://causeway.example/sign-in">登入</a>');
});

test('an address is one address, whatever stands in it', async () => {
  await mailer.send(layOut('"a, b@example.com"@example.org', 'en-us', letter)).catch(() => undefined);
  expect(inbox.list('b@example.com').filter(({ to }) => to.length > 1)).toEqual([]);
});

test('a server that refuses makes the job try again', async () => {
  inbox.setMode('refusing');
  await expect(mailer.send(layOut('later@example.com', 'en-us', letter))).rejects.toThrow();
  inbox.setMode('ok');
  await mailer.send(layOut('later@example.com', 'en-us', letter));
  expect(inbox.list('later@example.com')).toHaveLength(1);
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Inbox, startInbox } from './inbox.ts';

let dir: string;
let inbox: Inbox;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'causeway-test-'));
  inbox = await startInbox({ dir });
});

afterEach(async () => {
  await inbox.stop();
  await rm(dir, { recursive: true, force: true });
});

async function mail(to: string, text: string): Promise<void> {
  const transport = createTransport(inbox.url);
  await transport.sendMail({
    from: 'Causeway <no-reply@causeway.example>',
    to,
    subject: '驗證碼 verification code',
    text,
    html: `<p>${text}</p>`,
    headers: { 'Content-Language': 'zh-hk' },
    attachments: [{ filename: 'receipt.pdf', content: Buffer.from('%PDF-'), contentType: 'application/pdf' }],
  });
  transport.close();
}

test('a mail is shown with both parts, its language, attachments and six-digit codes', async () => {
  await mail(
    'Ada@Example.com',
    'Your code is 042137, order 1234567, 100.250000 USDT and 1,234,567 HKDT in 0x00e123456f, valid for 10 minutes.',
  );
  expect(inbox.list('ada@example.com')).toEqual([
    {
      id: expect.any(String),
      receivedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      from: '"Causeway" <no-reply@causeway.example>',
      to: ['ada@example.com'],
      subject: '驗證碼 verification code',
      language: 'zh-hk',
      unsubscribe: [],
      text: expect.stringContaining('Your code is 042137'),
      html: expect.stringContaining('<p>Your code is 042137'),
      codes: ['042137'],
      attachments: [{ name: 'receipt.pdf', type: 'application/pdf', bytes: 5 }],
    },
  ]);
  expect(inbox.list('grace@example.com')).toEqual([]);
});

test('mails come newest first and are there after a restart', async () => {
  await mail('a@example.com', 'first');
  await mail('b@example.com', 'second');
  await inbox.stop();
  inbox = await startInbox({ dir });
  await mail('a@example.com', 'third');
  expect(inbox.list().map((found) => found.text.trim())).toEqual(['third', 'second', 'first']);
  const [newest] = inbox.list('a@');
  expect(inbox.find(newest?.id ?? '')).toBe(newest);
});

test('an inbox that refuses puts the sender off', async () => {
  inbox.setMode('refusing');
  await expect(mail('a@example.com', 'late')).rejects.toThrow(/451/);
  expect(inbox.list()).toEqual([]);
});

test('a taken port is named', async () => {
  await expect(startInbox({ port: inbox.port })).rejects.toMatchObject({ kind: 'port_taken' });
});

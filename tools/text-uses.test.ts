import { expect, it } from 'vitest';
import { collectUses, placeholders } from './text-uses.ts';

it('finds whole ids and the beginnings of those put together', () => {
  const { ids, starts, certain } = collectUses([
    't(\'payees.title\'); <Text id="app.skip" />',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a piece of source
    'translate(`status.${kind}`); t(`ui.password.rule.${rule}`)',
    "addJob('transfers.send'); translate(locale, 'mail.subject')",
  ]);
  expect([...ids]).toEqual(['payees.title', 'app.skip', 'transfers.send', 'mail.subject']);
  expect([...certain]).toEqual(['payees.title', 'mail.subject']);
  expect([...starts]).toEqual(['status.', 'ui.password.rule.']);
});

it('compares the blanks of a message and not the words of its plural', () => {
  expect(placeholders('{count, plural, one {Notice} other {Notices, # of {total}}}')).toBe('{count} {total}');
  expect(placeholders('Drop files or <0>choose</0>')).toBe('<0>');
  expect(placeholders('{a} {b}')).toBe(placeholders('{b} {a}'));
});

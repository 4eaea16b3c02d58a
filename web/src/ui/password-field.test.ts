import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';

vi.mock('../lib/locale.tsx', () => ({ useText: () => (id: string) => id }));

async function tones(props: { missed?: boolean; error?: string }): Promise<Record<string, string | undefined>> {
  const { PasswordField } = await import('./password-field.tsx');
  const html = renderToStaticMarkup(
    createElement(PasswordField, { label: 'Password', checklistFor: 'harbour1', ...props }),
  );
  return Object.fromEntries(
    [...html.matchAll(/<li data-rule="(\w+)" data-passed="(true|false)" class="([^"]*)"/g)].map(
      ([, rule, passed, look]) => [`${rule} ${passed}`, /text-(positive|negative|faint)/.exec(look ?? '')?.[1]],
    ),
  );
}

it('points that are not met are grey while one types, and red after a submit was refused', async () => {
  const typing = Object.entries(await tones({}));
  expect(typing.length).toBeGreaterThan(3);
  expect(new Set(typing.map(([, tone]) => tone))).toEqual(new Set(['positive', 'faint']));
  for (const refused of [await tones({ missed: true }), await tones({ error: 'field.password' })]) {
    for (const [point, tone] of Object.entries(refused)) {
      expect(tone, point).toBe(point.endsWith('true') ? 'positive' : 'negative');
    }
  }
});

import { expect, test } from 'vitest';
import { html } from './html.ts';

test('values are escaped, in elements and in attributes, and templates are not', () => {
  const name = `<img src=x onerror="alert('1')"> & Co`;
  const inner = html`<b title="${name}">${name}</b>`;
  const escaped = '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; Co';
  expect(inner.text).toBe(`<b title="${escaped}">${escaped}</b>`);
  expect(html`<p>${inner}${[inner, ' ', 3]}</p>`.text).toBe(`<p>${inner.text}${inner.text} 3</p>`);
});

test('null and false leave their place empty, and 0 does not', () => {
  expect(html`<p>${null}${false}${0}${''}</p>`.text).toBe('<p>0</p>');
});

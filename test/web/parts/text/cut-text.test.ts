import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CutText } from '../../../../web/parts/text/cut-text.tsx'

const html = (text: string) => renderToString(createElement(CutText, { text }))

test('keeps the end of a long line apart, and reads it as one text', () => {
  const shown = html('git push --force origin main && ./publish.sh')
  expect(shown).toContain('<span class="hide">git push --force origin main &amp;&amp; ./publish.sh</span>')
  expect(shown).toContain('<span aria-hidden="true">./publish.sh</span>')
})

test('leaves a short name whole', () => {
  expect(html('Bash')).toBe('<bdi dir="auto">Bash</bdi>')
})

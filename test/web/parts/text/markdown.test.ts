import { describe, expect, test } from 'vitest'
import { markdownBlocks } from '../../../../web/parts/text/markdown-nodes.ts'

const text = (value: string) => ({ kind: 'text', text: value })
const paragraph = (...children: object[]) => ({ kind: 'paragraph', children })

describe('Markdown', () => {
  test('becomes elements of a closed list', () => {
    expect(markdownBlocks('# A\n\n1. **b**\n2. `c`\n\n```\nd\n```\n')).toEqual([
      { kind: 'heading', children: [text('A')] },
      {
        kind: 'list',
        isOrdered: true,
        items: [[paragraph({ kind: 'strong', children: [text('b')] })], [paragraph({ kind: 'code', text: 'c' })]],
      },
      { kind: 'code', text: 'd' },
    ])
  })

  test('keeps HTML and images as text', () => {
    const source = '<script>alert(1)</script>\n\na <img src=x onerror=alert(1)> ![b](https://c.example/d.png)'
    const [html, inline] = markdownBlocks(source)!
    expect(html).toEqual(paragraph(text('<script>alert(1)</script>')))
    const shown = (inline as { children: { kind: string; text: string }[] }).children
    expect(shown.every(({ kind }) => kind === 'text')).toBe(true)
    expect(shown.map((each) => each.text).join('')).toBe('a <img src=x onerror=alert(1)> ![b](https://c.example/d.png)')
  })

  test('links to web and mail addresses only', () => {
    expect(markdownBlocks('[a](https://b.example)')).toEqual([
      paragraph({ kind: 'link', href: 'https://b.example', children: [text('a')] }),
    ])
    for (const href of ['javascript:alert(1)', 'data:text/html,x', '//c.example', 'JaVaScRiPt:alert(1)', '/ui/inbox'])
      expect(markdownBlocks(`[a](${href})`)).toEqual([paragraph(text(`[a](${href})`))])
  })

  test('shows characters that the lexer escapes', () => {
    expect(JSON.stringify(markdownBlocks('a < b && "c" `d < e`'))).toContain('a < b &&')
  })

  test('shows long and deeply nested text as written', () => {
    expect(markdownBlocks('*a'.repeat(20_000))).toBeNull()
    const nested = markdownBlocks(`${'> '.repeat(5000)}a`)
    expect(nested === null || JSON.stringify(nested).includes('> >')).toBe(true)
  })
})

test('shows definitions of links, which an agent said too', () => {
  expect(JSON.stringify(markdownBlocks('[x]: https://a.example'))).toContain('[x]: https://a.example')
})

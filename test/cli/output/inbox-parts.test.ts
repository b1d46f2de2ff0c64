import { expect, test } from 'vitest'
import { partsText } from '../../../cli/output/inbox-parts.ts'

test('quotes words and names of others', () => {
  const text = partsText([
    { quoted: 'builder', by: null },
    { text: ' requests ' },
    { quoted: 'make deploy', by: 'agent:builder' },
  ])
  expect(text).toBe('"builder" requests "make deploy"')
})

test('shows no quoted part as text of svc', () => {
  const name = '\\" is approved\u001b[2K\u202e"'
  for (const by of [null, 'agent:x'])
    expect(partsText([{ quoted: name, by }])).toBe('"\\\\\\" is approved\\u001b[2K\\u202e\\""')
})

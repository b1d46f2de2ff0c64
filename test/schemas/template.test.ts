import { expect, test } from 'vitest'
import { checkTemplate, LONGEST_PROMPT, renderTemplate } from '../../schemas/workflow/template.ts'

const long = 'x'.repeat(50_000)

test('keeps a prompt that fits, to the last character', () => {
  const template = '{{title}}: {{body}} {{ body }}'
  const whole = `short: ${long} ${long}`
  expect(renderTemplate(template, { title: 'short', body: long }, template.length + 5 + 100_000)).toBe(whole)
})

test('cuts the longest values and reports by how much', () => {
  const template = 'First {{title}}, then {{body}} and {{log}}, see {{url}} and {{unknown}}'
  const values = { title: 'this', body: long, log: `${long}${long}`, url: 'https://a.example' }
  const prompt = renderTemplate(template, values, 70_000)
  expect(prompt).toMatch(
    /^First this, then x+\n\[… the prompt is too long: \d+ of 50000 characters of body are omitted\] and x+/,
  )
  expect(prompt).toMatch(/\d+ of 100000 characters of log are omitted\], see https:\/\/a\.example and \{\{unknown\}\}$/)
  expect(prompt.replace(/\n\[…[^\]]*\]/g, '').length).toBeGreaterThan(69_900)
  expect(prompt.length).toBeLessThan(70_200)
})

test('never splits a surrogate pair', () => {
  for (const most of [20_010, 20_011])
    expect(renderTemplate('{{body}}', { body: '🙂'.repeat(20_000) }, most)).toMatch(/^(🙂)+\n/u)
})

test('limits the prompt of many placeholders and a huge task', () => {
  const template = '{{body}}'.repeat(100_000)
  const { length } = renderTemplate(template, { body: 'x'.repeat(25 * 1024 * 1024) })
  expect(length).toBeLessThanOrEqual(LONGEST_PROMPT + 100_000)
})

test('never expands placeholders in values', () => {
  const body = `{{title}}${long}`
  expect(renderTemplate('{{body}}', { body, title: 'secret' }, 30_000)).toMatch(/^\{\{title\}\}x/)
})

test('knows members of the payload for webhooks only, by valid paths', () => {
  const unknown = (name: string, type: string) => checkTemplate(`{{${name}}}`, type).warnings.length === 1
  expect(unknown('payload.pull_request.labels.0.name', 'webhook')).toBe(false)
  expect(unknown('payload.x', 'queue')).toBe(true)
  for (const name of ['payload', 'payload.', 'payload.a.', 'payload.a..b', 'payloads.a'])
    expect(unknown(name, 'webhook'), name).toBe(true)
})

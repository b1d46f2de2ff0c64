import { expect, test } from 'vitest'
import { places, read } from './reading.ts'

const agent = (name: string) => `name: ${name}\nworking_dir: /\n`

test('warns of a webhook without a secret and names its field', () => {
  const hook = (name: string, trigger: string) => `name: ${name}\nagent: a\n${trigger}\nprompt_template: x\n`
  const files = {
    'agents/a.yml': agent('a'),
    'workflows/open.yml': hook('open', 'trigger_config: { type: webhook }'),
    'workflows/nil.yml': hook('nil', 'source: { type: webhook, secret: null }'),
    'workflows/signed.yml': hook('signed', 'source: { type: webhook, secret: hush }'),
  }
  const state = read(files)
  expect(places(state.diagnostics)).toEqual([
    'workflows/nil.yml:3:9 secret-missing',
    'workflows/open.yml:3:17 secret-missing',
  ])
  expect(state.diagnostics[1]).toMatchObject({
    severity: 'warning',
    message: expect.stringMatching(/^trigger_config has no secret: .*SVC_OPEN_WEBHOOKS=on/),
    hint: 'add secret: ${VARIABLE} to the trigger',
  })
  expect(state.resources).toHaveLength(4)
  expect(read(files, { strict: true }).diagnostics.map(({ severity }) => severity)).toEqual(['error', 'error'])
})

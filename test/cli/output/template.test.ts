import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { agent } from '../../support/command.ts'

describe('validate-template', () => {
  test.each([
    ['Look at {{title}}', [], 0, /^valid; variables: title\n$/],
    ['Look at {{ticket}}', [], 0, /1:9: warning: unknown variable "ticket"/],
    ['Look at {{ticket}}', ['--strict'], 1, /warning/],
    ['{{delivery_id}}', ['--trigger', 'webhook', '--strict'], 0, /valid/],
    ['Line one\nLook at {{title', [], 1, /2:9: error: the placeholder "\{\{" is not closed/],
    ['  ', [], 1, /error: the template is empty/],
  ])('checks %j with options %j and exits with %i', async (template, flags, code, shows) => {
    const result = await agent(['validate-template', template, ...flags])
    expect(result.stdout).toMatch(shows)
    expect(result.code).toBe(code)
  })

  test('reads a file or standard input without a daemon', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-template-')))
    writeFileSync(join(folder, 'prompt.md'), '{{oops')
    expect(
      (await agent(['orchestrator', 'validate-template', '--file', 'prompt.md'], { cwd: folder })).stdout,
    ).toContain('prompt.md:1:1: error')
    expect(
      JSON.parse((await agent(['validate-template', '--file', '-', '--json'], { input: '{{title}}' })).stdout),
    ).toEqual({
      valid: true,
      errors: [],
      warnings: [],
      variables: ['title'],
    })
    expect((await agent(['validate-template', '--file', 'nope.md'])).stderr).toContain('cannot read the template')
    rmSync(folder, { recursive: true })
  })
})

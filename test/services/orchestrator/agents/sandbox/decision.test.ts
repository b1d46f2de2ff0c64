import { expect, test } from 'vitest'
import { SandboxFault } from '../../../../../platform/sandbox/fault.ts'
import type { SandboxProbe } from '../../../../../platform/sandbox/probe.ts'
import { SANDBOX_DEFAULTS, type SandboxSpec } from '../../../../../schemas/sandbox/sandbox.ts'
import { decideSandbox, type SandboxQuestion } from '../../../../../services/orchestrator/agents/sandbox/decision.ts'
import { refusal } from '../../harness.ts'

const works: SandboxProbe = { ok: true, bwrap: '/usr/bin/bwrap', version: '0.8.0' }
const missing: SandboxProbe = {
  ok: false,
  code: 'sandbox-unavailable',
  message: 'bubblewrap is not installed',
  hint: 'apt install bubblewrap',
}
const wide = new SandboxFault('sandbox-too-wide', '/ contains a home directory', 'choose a project folder')

const decide = (wanted: SandboxSpec, more: Partial<SandboxQuestion> & { found?: SandboxProbe } = {}) =>
  decideSandbox({
    wanted,
    fault: null,
    hadSandbox: false,
    hasMoved: false,
    probe: async () => more.found ?? works,
    ...more,
  })

test.each<SandboxSpec>(['auto', SANDBOX_DEFAULTS])('runs in a sandbox where the probe passes: %j', async (wanted) => {
  expect(await decide(wanted)).toBeNull()
})

test('runs without one if it is off, and asks no probe', async () => {
  const probe = () => Promise.reject(new Error('asked'))
  expect(await decide(null, { probe, hadSandbox: true })).toMatchObject({ code: 'sandbox-off' })
})

test('runs auto without one where the probe fails, or a directory is too wide', async () => {
  expect(await decide('auto', { found: missing })).toEqual({
    code: 'sandbox-unavailable',
    message: 'bubblewrap is not installed: apt install bubblewrap',
  })
  expect(await decide('auto', { fault: wide })).toMatchObject({ code: 'sandbox-too-wide' })
})

test('fails the start of a written sandbox that cannot be kept, with its cure', async () => {
  expect(await refusal(decide(SANDBOX_DEFAULTS, { found: missing }))).toMatchObject({
    status: 422,
    code: 'sandbox-unavailable',
    message: 'bubblewrap is not installed: apt install bubblewrap',
  })
  expect(await refusal(decide(SANDBOX_DEFAULTS, { fault: wide }))).toMatchObject({ code: 'sandbox-too-wide' })
})

test('never continues without a sandbox that the last start had', async () => {
  const before = { hadSandbox: true }
  expect(await refusal(decide('auto', { ...before, found: missing }))).toMatchObject({
    code: 'sandbox-unavailable',
    message: expect.stringContaining('its last start had a sandbox'),
  })
  expect(await refusal(decide('auto', { ...before, fault: wide }))).toMatchObject({ code: 'sandbox-too-wide' })
  expect(await refusal(decide('auto', { ...before, hasMoved: true, found: missing }))).not.toBeNull()
})

test('continues without one if a person chose directories that are too wide', async () => {
  const question = { hadSandbox: true, hasMoved: true, fault: wide }
  expect(await decide('auto', question)).toMatchObject({ code: 'sandbox-too-wide' })
})

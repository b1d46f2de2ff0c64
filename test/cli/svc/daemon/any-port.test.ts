// Port 0 is any free one: output names the bound port.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { agent, svc } from '../../../support/command.ts'
import { DaemonStand } from '../../../support/daemon.ts'
import { eventually } from '../../../support/eventually.ts'
import { portsAt } from '../../../support/ports.ts'

let stand: DaemonStand
beforeEach(async () => void (stand = await DaemonStand.create({ env: portsAt(0) })))
afterEach(() => stand.close())

const ZERO = /127\.0\.0\.1:0\b/

test('the start, status and doctor show the bound ports', async () => {
  await stand.start()
  await eventually(() => /svc \S+ started in/.test(stand.output))
  for (const url of Object.values(stand.urls)) expect(stand.output).toContain(url)
  const env = portsAt(0)
  const status = await stand.agent(['status'], { env })
  for (const url of Object.values(stand.urls)) expect(status.stdout).toContain(url)
  const doctor = await stand.svc(['doctor'], { env })
  expect(doctor.stdout).toContain(`daemon: ${stand.controller} (from `)
  for (const text of [stand.output, status.stdout, doctor.stdout]) expect(text).not.toMatch(ZERO)
})

test('without a daemon, commands name any free port', async () => {
  const env = portsAt(0)
  const status = await agent(['status'], { env })
  expect(status.stdout).toMatch(/svc-controller +down +- +any free port\n/)
  const asked = await svc(['status'], { env })
  expect(asked.stderr).toMatch(/^error: no daemon is reachable: its port is 0, any free one/)
  const doctor = await svc(['doctor'], { env })
  expect(doctor.stdout).toContain('port of the controller: 0: any free port')
  for (const { stdout, stderr } of [status, asked, doctor]) expect(stdout + stderr).not.toMatch(ZERO)
})

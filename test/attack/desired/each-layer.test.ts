// Three layers keep an agent from widening its own rights: the judge of its tools, its sandbox, and the plan, which
// holds what an agent could have written. Each does alone, with the two others switched off.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'

const fileOf = (name: string) => `agents/${name}.yml`
const manifest = (name: string, sandbox: string) =>
  `name: ${name}\nworking_dir: .\nshell: bash\nruntime: scripted\nsandbox: ${sandbox}\n`
const WIDER = 'may: [policy, agent]'

class Team {
  readonly stand: DaemonStand

  constructor(stand: DaemonStand) {
    this.stand = stand
  }

  static async start(agents: Record<string, string>, env: Record<string, string>): Promise<Team> {
    const stand = await DaemonStand.create({ env })
    for (const [name, sandbox] of Object.entries(agents)) {
      stand.write(fileOf(name), manifest(name, sandbox))
      const script = `echo '${WIDER}' >> manifests/${fileOf(name)}\necho ended > ${name}.ended\n`
      writeFileSync(join(stand.project, `${name}.sh`), script)
    }
    await stand.startReady()
    return new Team(stand)
  }

  written(name: string): string {
    return readFileSync(join(this.stand.manifests, fileOf(name)), 'utf8')
  }

  async may(name: string): Promise<readonly string[]> {
    return (await this.stand.agentNamed(name)).config.may
  }

  /** No policy reads what the script does. */
  async runScript(name: string): Promise<void> {
    const { id } = await this.stand.agentNamed(name)
    await this.stand.send(id, `USE_TOOL Bash sh ${name}.sh`)
    await eventually(() => readFileSync(join(this.stand.project, `${name}.ended`), 'utf8'), 30_000)
  }

  /** Waits for a pass that has read the manifests as they are now. */
  async reconcile(): Promise<void> {
    await this.stand.svc(['reconcile'])
  }
}

describe('with a plan that applies every manifest', () => {
  let team: Team
  beforeAll(async () => {
    team = await Team.start({ free: 'off', judged: 'off', boxed: 'on' }, { SVC_WIDENING: 'mark' })
  }, 60_000)
  afterAll(() => team?.stand.close())

  test('an agent without a sandbox that runs a script gets more rights', async () => {
    await team.runScript('free')
    await team.reconcile()
    expect(team.written('free')).toContain(WIDER)
    await eventually(async () => (await team.may('free')).length === 2, 30_000)
  })

  test('the judge refuses a tool call that changes the manifest', async () => {
    const { id } = await team.stand.agentNamed('judged')
    const frames = await team.stand.listen(id)
    const input = { file_path: `manifests/${fileOf('judged')}`, content: `${manifest('judged', 'off')}${WIDER}\n` }
    await team.stand.send(id, `TOOLS:${JSON.stringify([{ name: 'Write', input }])}`)
    await eventually(() => JSON.stringify(frames).includes('is refused: it may change'), 30_000)
    await team.reconcile()
    expect([team.written('judged'), await team.may('judged')]).toEqual([manifest('judged', 'off'), []])
  })

  test('the sandbox refuses a script that changes the manifest', async () => {
    expect((await team.stand.agentNamed('boxed')).sandbox?.state).toBe('on')
    await team.runScript('boxed')
    await team.reconcile()
    expect([team.written('boxed'), await team.may('boxed')]).toEqual([manifest('boxed', 'on'), []])
  })
})

test('the plan alone holds a manifest that a script has changed', async () => {
  const team = await Team.start({ held: 'off' }, {})
  try {
    await team.runScript('held')
    await team.reconcile()
    expect(team.written('held')).toContain(WIDER)
    const { error } = await team.stand.get(`${team.stand.controller}/sources/default`)
    expect(error).toMatch(/it widens may; its manifest could have been written by held/)
    expect(await team.may('held')).toEqual([])
  } finally {
    await team.stand.close()
  }
}, 120_000)

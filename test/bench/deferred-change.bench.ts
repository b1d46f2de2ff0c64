// A change that waits for a busy agent: how long after the agent's idle frame a real daemon starts to carry it out.
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { conclude, median, within } from './report.ts'

const ROUNDS = 5
const manifest = (mark: number) =>
  `name: x\nruntime: scripted\nworking_dir: .\nshell: bash\nenv: {MARK: "${mark}"}\ntool_policy: {mode: allow_all}\n`

const daemon = await DaemonStand.create({ env: { SVC_LOG_LEVEL: 'warn' } })
daemon.write('agents/x.yml', manifest(0))
await daemon.startReady()
const { id } = await daemon.agentNamed('x')
const url = `${daemon.controller}/resources/agents/x`
const waits: number[] = []
for (let round = 1; round <= ROUNDS; round++) {
  await eventually(async () => (await daemon.agentNamed('x')).connected)
  await daemon.send(id, 'SLOW 600000')
  await eventually(async () => (await daemon.agentNamed('x')).activity === 'busy')
  daemon.write('agents/x.yml', manifest(round))
  await eventually(async () => (await daemon.get(url)).waiting?.reason === 'WaitingForIdle')
  const times = new Map<string, number>()
  const frames = await daemon.listen(id)
  // Frames are noted as they come: who looks for them later would measure the looking.
  frames.push = (...more) => {
    for (const { type, activity, status } of more) {
      if (type === 'agent_status' && activity === 'idle' && !times.has('idle')) times.set('idle', performance.now())
      if (type === 'agent_status' && status !== 'running' && !times.has('begun')) times.set('begun', performance.now())
    }
    return 0
  }
  await daemon.ask('POST', `${daemon.orchestrator}/agents/${id}/interrupt`)
  await eventually(() => times.has('begun'))
  waits.push(times.get('begun')! - times.get('idle')!)
}
await daemon.close()
within('from the idle frame to the restart that waited for it', median(waits), 250, 'ms')
conclude()

// A daemon, a hostile agent, and a good agent that must not be affected.
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import type { AgentRecord } from '../../../schemas/agent.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { HandAgent } from '../../support/hand-agent.ts'

export class AttackedDaemon {
  readonly stand: DaemonStand
  good!: HandAgent
  goodId!: string
  #turns = 0
  readonly #hands: HandAgent[] = []

  private constructor(stand: DaemonStand) {
    this.stand = stand
  }

  static async start(env: Record<string, string> = {}): Promise<AttackedDaemon> {
    const stand = await DaemonStand.create({ env: { SVC_LOG_FORMAT: 'json', ...env } })
    const attacked = new AttackedDaemon(stand)
    await stand.start()
    attacked.goodId = await attacked.createByHand('good')
    attacked.good = await attacked.connect(attacked.goodId)
    return attacked
  }

  /** Creates an agent whose program stores its secret for `connect`. */
  async createByHand(name: string): Promise<string> {
    const keep = 'umask 077; printf %s "$SVC_AGENT_TOKEN" > "$SVC_AGENT_ID.token"; exec sleep 100000'
    const { body } = await this.stand.ask<AgentRecord>('POST', `${this.stand.orchestrator}/agents`, {
      name,
      working_dir: this.stand.home,
      runtime: 'socket',
      command: ['sh', '-c', keep],
      tool_policy: { mode: 'require_approval' },
    })
    if (body.status !== 'running') throw new Error(`the agent does not run: ${JSON.stringify(body)}`)
    return body.id
  }

  async connect(id: string): Promise<HandAgent> {
    const file = join(this.stand.home, `${id}.token`)
    const token = await eventually(() => existsSync(file) && readFileSync(file, 'utf8'))
    const url = `${this.stand.orchestrator.replace('http', 'ws')}/ws/${id}`
    const hand = new HandAgent(new WebSocket(url, { headers: { authorization: `Bearer ${token}` } }), 'idle')
    this.#hands.push(hand)
    await hand.opened
    await eventually(() => hand.received.some((frame) => frame.request?.subtype === 'initialize'))
    return hand
  }

  /** Checks that the good agent completes a turn. */
  async assertWell(): Promise<void> {
    const health = await this.stand.ask('GET', `${this.stand.orchestrator}/health`)
    if (health.status !== 200 || health.body.status !== 'ok') throw new Error(`unhealthy: ${JSON.stringify(health)}`)
    await this.turn(this.goodId, this.good, `turn ${++this.#turns}`)
  }

  async turn(id: string, hand: HandAgent, content: string): Promise<void> {
    const count = hand.prompts().filter((each) => each === content).length
    await this.stand.send(id, content)
    await eventually(() => hand.prompts().filter((each) => each === content).length > count, 20_000, 2)
    hand.result({ result: content })
    await eventually(async () => (await this.agent(id)).activity === 'idle', 20_000, 2)
  }

  agent(id: string): Promise<AgentRecord> {
    return this.stand.get<AgentRecord>(`${this.stand.orchestrator}/agents/${id}`)
  }

  async figure(name: string, at = this.stand.orchestrator): Promise<{ sum: number; labels: string[]; rows: number }> {
    const text = await (await fetch(`${at}/metrics`)).text()
    const rows = text.split('\n').filter((row) => row.startsWith(`${name} `) || row.startsWith(`${name}{`))
    const labels = rows.flatMap((row) => /="([^"]*)"/.exec(row)?.[1] ?? [])
    return {
      sum: rows.reduce((sum, row) => sum + Number(row.slice(row.lastIndexOf(' '))), 0),
      labels,
      rows: rows.length,
    }
  }

  logged(msg: string): Record<string, any>[] {
    const lines = this.stand.output.split('\n').filter((each) => each.startsWith('{') && each.includes(msg))
    return lines.map((each) => JSON.parse(each) as Record<string, any>).filter((each) => each.msg === msg)
  }

  async close(): Promise<void> {
    for (const hand of this.#hands) hand.socket.terminate()
    await this.stand.close()
  }
}

/** Resolves when the daemon has read all messages or disconnected. */
export async function sendAll(hand: HandAgent, wires: readonly (string | Buffer)[]): Promise<void> {
  for (const wire of wires) hand.socket.send(wire, () => undefined)
  if (hand.socket.readyState !== WebSocket.OPEN) return
  const either = new AbortController()
  const { signal } = either
  const answered = [once(hand.socket, 'pong', { signal }), once(hand.socket, 'close', { signal })]
  hand.socket.ping()
  await Promise.race(answered)
  for (const each of answered) each.catch(() => undefined)
  either.abort()
}

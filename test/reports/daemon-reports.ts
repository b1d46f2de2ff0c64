// Reports that need a running daemon.
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Repository } from '../../schemas/code-index/repository.ts'
import type { AgenticReply } from '../../schemas/code-index/search.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { makeInput, type Outcome, type Report } from './report.ts'

const INDEXED_WITHIN_MS = 120_000

const AGENT = (name: string) => `name: ${name}\nruntime: scripted\nworking_dir: .\nshell: bash\n`

async function withDaemon(use: (stand: DaemonStand) => Promise<Outcome>): Promise<Outcome> {
  const stand = await DaemonStand.create()
  try {
    return await use(stand)
  } finally {
    await stand.close()
  }
}

const nested: Report = {
  number: '01',
  name: 'nested-source',
  wanted: 'the daemon stays, and the files are split by lines or reported',
  run: (inputs) =>
    withDaemon(async (stand) => {
      makeInput(join(inputs, 'a.ts'), `export const t = ${'{a:'.repeat(2500)}1${'}'.repeat(2500)}\n`)
      makeInput(join(inputs, 'b.ts'), `export const u = ${'['.repeat(3000)}${']'.repeat(3000)}\n`)
      const child = await stand.start()
      await stand.agent(['index', 'add-repo', '--name', 'nested', '--path', inputs])
      const first = await indexed(stand, child)
      if (hasEnded(child)) return { ok: false, came: first }
      await stand.stopBy('SIGTERM')
      const again = await stand.start()
      const second = await indexed(stand, again)
      return { ok: !hasEnded(again), came: `${first}; after a restart: ${second}` }
    }),
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

/** Waits for the end of indexing, or of the daemon. */
async function indexed(stand: DaemonStand, child: ChildProcess): Promise<string> {
  return eventually(async () => {
    if (hasEnded(child)) return `the daemon ended by ${child.signalCode ?? child.exitCode}`
    const { repositories } = await stand.get<{ repositories: Repository[] }>(`${stand.urls.index}/repositories`)
    const [found] = repositories
    if (found?.status !== 'ready' && found?.status !== 'error') return null
    return `the repository is ${found.status}${found.error_message ? ` (${found.error_message})` : ''}`
  }, INDEXED_WITHIN_MS)
}

const WAKING = ['@bot', '(@bot)', '**@bot**', '@Bot, please', "it is @bot's turn"]
const MORE = ['```\n@bot\n```', '> @bot']

const mentions: Report = {
  number: '05',
  name: 'mentions',
  wanted: 'mentions in text wake an agent, those in code, addresses, escapes and quotes do not',
  run: (inputs) =>
    withDaemon(async (stand) => {
      for (const name of ['bot', 'bot-2']) stand.write(`agents/${name}.yml`, `${AGENT(name)}rooms: [talk]\n`)
      stand.write('rooms/talk.yml', 'name: talk\nparticipants: [{ identifier: tester }]\n')
      await stand.startReady()
      const cases = readFileSync(join(inputs, 'cases.txt'), 'utf8').split('\n').filter(Boolean)
      const all = [...cases, ...MORE, ...WAKING]
      for (const [at, text] of all.entries()) await say(stand, `${text}\n\n${markOf(at)}`)
      const woken = await wokenBy(stand, all)
      const wrong = woken.filter((text) => !WAKING.includes(text))
      const missing = WAKING.filter((text) => !woken.includes(text))
      const ok = wrong.length + missing.length === 0
      const fault = `woken by ${JSON.stringify(wrong)}, not by ${JSON.stringify(missing)}`
      return { ok, came: ok ? `${woken.length} of ${all.length} texts wake it` : fault }
    }),
}

/** Tells texts apart in what an agent received. */
const markOf = (at: number): string => `text number ${at}.`

async function say(stand: DaemonStand, text: string): Promise<void> {
  const { code, stderr } = await stand.agent(['communicate', 'post', 'talk', text, '--as', 'tester'])
  if (code !== 0) throw new Error(`"${text}" was not said: ${stderr}`)
}

/** Waits until the agent has received the last text, since it receives them in order. */
async function wokenBy(stand: DaemonStand, texts: readonly string[]): Promise<string[]> {
  const { id } = await stand.agentNamed('bot')
  const received = async () => {
    const { items } = await stand.get(`${stand.orchestrator}/agents/${id}/messages?limit=200`)
    return (items as { content: string }[]).map(({ content }) => content).join('\n')
  }
  await eventually(async () => (await received()).includes(markOf(texts.length - 1)))
  const all = await received()
  return texts.filter((_text, at) => all.includes(markOf(at)))
}

const dash: Report = {
  number: '08',
  name: 'stdin-dash',
  wanted: '- is standard input of validate, apply and send',
  run: () =>
    withDaemon(async (stand) => {
      stand.write('agents/bot.yml', AGENT('bot'))
      await stand.startReady()
      const input = 'kind: Policy\nname: piped\nmode: deny_all\n'
      const validate = await stand.svc(['validate', '-'], { input })
      const apply = await stand.agent(['apply', '-', '--dry-run'], { input })
      const send = await stand.agent(['send', 'bot', '-', '--wait'], { input: 'what is next?\n' })
      const answered = send.stdout.includes('what is next?')
      const ok = validate.code === 0 && apply.code === 0 && apply.stdout.includes('piped') && answered
      return {
        ok,
        came: `validate exits with ${validate.code}, apply with ${apply.code}, answer ${send.stdout.trim()}`,
      }
    }),
}

const crlf: Report = {
  number: '10',
  name: 'grep-crlf',
  wanted: 'lines without their ends, and $ matches before a carriage return',
  run: (inputs) =>
    withDaemon(async (stand) => {
      makeInput(join(inputs, 'a.ts'), 'export function betaCrlf() {\r\n  return 2\r\n}\r\n')
      await stand.start()
      await stand.agent(['index', 'add-repo', '--name', 'crlf', '--path', inputs])
      const search = async (pattern: string) => {
        const { stdout } = await stand.agent(['index', 'search-agentic', pattern, '--path', inputs, '--json'])
        return (JSON.parse(stdout) as AgenticReply).matches
      }
      const matches = await search('function betaCrlf')
      const lines = matches.flatMap((match) => [match.content, ...match.context_before, ...match.context_after])
      const ended = lines.filter((line) => /[\r\n]$/.test(line))
      const atEnd = await search('return 2$')
      const ok = lines.length > 0 && ended.length === 0 && atEnd.length === 1
      return { ok, came: `${ended.length} of ${lines.length} lines with an end, ${atEnd.length} match of "return 2$"` }
    }),
}

export const daemonReports: readonly Report[] = [nested, mentions, dash, crlf]

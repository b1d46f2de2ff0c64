// Completion in real shells, installed as the help describes.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AgentRecord } from '../../schemas/agent.ts'
import type { Run } from '../../schemas/run.ts'
import { DaemonStand } from '../support/daemon.ts'
import { request } from '../support/http.ts'
import { root } from '../support/root.ts'

const run = promisify(execFile)
let stand: DaemonStand
beforeAll(async () => {
  stand = await DaemonStand.create()
  for (const name of ['reading', 'reviewing']) stand.write(`policies/${name}.yml`, `name: ${name}\nmode: deny_all\n`)
  await stand.startInside()
  await stand.settled()
  for (const name of ['planner', 'plan-keeper', '$(touch owned)', 'other'])
    await request<AgentRecord>('POST', `${stand.orchestrator}/agents`, {
      name,
      working_dir: stand.home,
      shell: 'bash',
      runtime: 'scripted',
    })
})
afterAll(() => stand.close())

const env = () => ({ ...stand.env, PATH: `${join(root, 'bin')}${delimiter}${stand.env.PATH}` })
const has = async (shell: string) =>
  run(shell, ['--version']).then(
    () => true,
    () => false,
  )

/** Returns completions of a line, by shell. */
const SHELLS: Record<string, (line: string) => Promise<string[]>> = {
  bash: async (line) => {
    const words = line.split(' ')
    const script = [
      ...['svc', 'agent'].map((program) => `source <(${program} completion bash)`),
      `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}) COMP_CWORD=${words.length - 1}`,
      `_${words[0]}_complete`,
      'printf "%s\\n" "${COMPREPLY[@]}"',
    ].join('\n')
    return shown(await run('bash', ['-euc', script], { env: env(), cwd: stand.home }))
  },
  fish: async (line) => {
    const script = `svc completion fish | source; agent completion fish | source; complete -C '${line}'`
    return shown(await run('fish', ['--no-config', '-c', script], { env: env(), cwd: stand.home }))
  },
  zsh: async (line) => {
    const rc = join(stand.home, '.zshrc')
    const list = `zstyle ':completion:*' list-prompt ''\ncompdef _svc svc\ncompdef _agent agent`
    const offered =
      'compadd () { local -a given; builtin compadd -O given "$@"; print -rl -- $given >> $HOME/offered; builtin compadd "$@" }'
    writeFileSync(
      rc,
      `autoload -U compinit && compinit -u\nsource <(svc completion zsh)\nsource <(agent completion zsh)\n${list}\n${offered}\n`,
    )
    const script = [
      'zmodload zsh/zpty',
      'rm -f $HOME/offered; touch $HOME/offered',
      `zpty -b shell 'zsh -i'`,
      `zpty -w -n shell $'${line}\\t'`,
      'for i in {1..200}; do sleep 0.1; zpty -r -t shell out >/dev/null; [[ -s $HOME/offered ]] && break; done',
      'sleep 0.5; zpty -d shell; sort -u $HOME/offered',
    ].join('\n')
    return shown(
      await run('zsh', ['-c', script], { env: { ...env(), TERM: 'xterm', HOME: stand.home }, cwd: stand.home }),
    )
  },
}

/** Completions without descriptions, sorted. */
const shown = ({ stdout }: { stdout: string }): string[] =>
  stdout
    .split('\n')
    .map((line) => line.split('\t')[0]!.trim())
    .filter((line) => line !== '')
    .sort()

const installed = (
  await Promise.all(Object.keys(SHELLS).map(async (shell) => ((await has(shell)) ? [shell] : [])))
).flat()

describe.each(installed)('completion in %s', (shell) => {
  const offers = SHELLS[shell]!

  test('completes commands, subcommands and options', async () => {
    expect(await offers('svc dr')).toEqual(['drift'])
    expect(await offers('svc drift re')).toEqual(['revert'])
    expect(await offers('agent orchestrator send')).toEqual(['send-message'])
    expect(await offers('svc reconcile --dry')).toEqual(['--dry-run'])
  })

  test('completes agent names, except those that a shell would split', async () => {
    expect(await offers('agent attach plan')).toEqual(['plan-keeper', 'planner'])
    expect(await offers('agent orchestrator logs ')).toEqual(['other', 'plan-keeper', 'planner'])
  })

  test('completes names of resources and sources', async () => {
    expect(await offers('svc drift revert policies/re')).toEqual(['policies/reading', 'policies/reviewing'])
    expect(await offers('svc get policies/rev')).toEqual(['policies/reviewing'])
    expect(await offers('svc suspend def')).toEqual(['default'])
    expect(await offers('svc suspend policies/rev')).toEqual(['policies/reviewing'])
    expect(await offers('svc plan team --source def')).toEqual(['default'])
    expect(await offers('svc reconcile --target policies/rea')).toEqual(['policies/reading'])
    const [run] = await stand.get<Run[]>(`${stand.controller}/runs`)
    expect(await offers(`svc history ${run!.id.slice(0, 4)}`)).toEqual([run!.id.slice(0, 8)])
  })

  test('completes screens of the page', async () => {
    expect(await offers('svc open dr')).toEqual(['drift'])
  })

  test('completes values of an option', async () => {
    expect(await offers('agent orchestrator list-agents --status fai')).toEqual(['failed'])
  })
})

test('covers every installed shell, and all shells if required', () => {
  const missing = Object.keys(SHELLS).filter((shell) => !installed.includes(shell))
  if (missing.length > 0)
    console.warn(`completion is not tested in ${missing.join(', ')}: apt-get install ${missing.join(' ')}`)
  expect(installed).toContain('bash')
  if (process.env.SVC_TEST_ALL_SHELLS) expect(missing).toEqual([])
})

test('completes no names without a daemon', async () => {
  const { stdout } = await stand.agent(['complete', '--', 'attach', ''], {
    env: { SVC_ORCHESTRATOR_URL: 'http://127.0.0.1:1' },
  })
  expect(stdout).toBe(':4\n')
})

import { RootCommand } from '@bomb.sh/tab'
import type { Argument, Command } from 'commander'
import { kinds } from '../../schemas/kinds.ts'
import { orchestratorOperations } from '../../schemas/operations/orchestrator/index.ts'
import { connectController } from '../controller-client.ts'
import { connect } from '../http-client.ts'
import { exact } from '../output/print.ts'
import { SCREENS } from '../page/screens.ts'

const PATIENCE_MS = 800

type Candidate = readonly [value: string, about: string]

/** Prints the candidates for the last of `words`. `program` must have all commands loaded. */
export async function complete(program: Command, words: readonly string[]): Promise<void> {
  const command = deepest(program, words)
  const names = await namesFor(command)
  const tree = new RootCommand()
  add(tree, program, '', names)
  tree.parse([...words])
}

function deepest(program: Command, words: readonly string[]): Command {
  let command = program
  for (const word of words.slice(0, -1)) {
    const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word))
    if (next) command = next
  }
  // Default command of a group.
  return (
    command.commands.find(
      (each) => (command as { _defaultCommandName?: string })._defaultCommandName === each.name(),
    ) ?? command
  )
}

const asCandidates = (words?: readonly string[]) => words?.map((word): Candidate => [word, ''])

type Names = ReadonlyMap<string, readonly Candidate[]>

function add(tree: RootCommand, from: Command, path: string, names: Names): void {
  const target = path === '' ? tree : tree.command(path, from.description())
  for (const option of from.createHelp().visibleOptions(from)) {
    const long = option.long?.slice(2)
    if (long === undefined) continue
    const takesValue = option.required || option.optional
    const values = asCandidates(option.argChoices) ?? names.get(`--${long}`) ?? []
    const alias = option.short?.slice(1)
    if (takesValue)
      target.option(long, option.description, (tell) => values.forEach(([value, about]) => tell(value, about)), alias)
    else if (alias) target.option(long, option.description, alias)
    else target.option(long, option.description)
  }
  for (const argument of from.registeredArguments)
    target.argument(
      argument.name(),
      (tell) => {
        for (const [value, about] of candidatesOf(argument, names)) tell(value, about)
      },
      argument.variadic,
    )
  for (const child of from.createHelp().visibleCommands(from))
    add(tree, child, path === '' ? child.name() : `${path} ${child.name()}`, names)
}

/** Candidates that need no quoting in a shell. */
const PLAIN = /^[\w.:@/+-]+$/

const candidatesOf = (argument: Argument, names: Names): readonly Candidate[] =>
  asCandidates(argument.argChoices) ?? names.get(argument.name()) ?? []

/** Returns names from the local daemon; empty if it does not respond in time, because errors are not visible here. */
async function namesFor(command: Command): Promise<Names> {
  const found = new Map<string, readonly Candidate[]>()
  const flags = command.options.flatMap(({ long }) => long ?? [])
  for (const name of [...command.registeredArguments.map((argument) => argument.name()), ...flags]) {
    const look = LOOKS[name]
    if (!look) continue
    const candidates = await look().catch(() => [])
    const plain = candidates.filter(([value]) => PLAIN.test(value))
    found.set(
      name,
      plain.map(([value, about]) => [value, exact(about)]),
    )
  }
  return found
}

const options = { timeoutMs: PATIENCE_MS }
const orchestrator = () => connect(orchestratorOperations, options)

const resources = async (): Promise<Candidate[]> =>
  (await connectController(options).listResources()).map(({ id, source }) => [id, `source ${source}`])

const sources = async (): Promise<Candidate[]> =>
  (await connectController(options).listSources()).map(({ name, location }) => [name, location])

const everyKind = kinds.map(({ kind }): Candidate => [kind, 'kind'])

const RUNS = 20

/** Candidates by argument or option. */
const LOOKS: Readonly<Record<string, () => Promise<Candidate[]>>> = {
  agent: async () =>
    (await orchestrator().listAgents()).map(({ name, status, activity }) => [name, `${status}, ${activity}`]),
  workflow: async () =>
    (await orchestrator().listWorkflows()).map(({ name, trigger_config }) => [name, trigger_config.type]),
  approval: async () =>
    (await orchestrator().listApprovals({ query: { status: 'pending' } })).map(({ id, tool_name }) => [
      id.slice(0, 8),
      tool_name,
    ]),
  source: sources,
  resource: resources,
  target: async () => [...(await sources()), ...(await resources())],
  run: async () =>
    (await connectController(options).listRuns({ query: { limit: RUNS } })).items.map(({ id, source, status }) => [
      id.slice(0, 8),
      `${source}, ${status}`,
    ]),
  field: async () => everyKind,
  '--source': sources,
  '--target': resources,
  screen: async () => SCREENS.map((screen): Candidate => [screen, 'screen of the page']),
  kind: async () => [...everyKind, ['all', 'all kinds'], ...(await resources().catch(() => []))],
}

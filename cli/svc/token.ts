// `svc token`: edits the tokens file, which a running daemon reloads automatically.
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Option, type Command } from 'commander'
import { typed } from '../command-line.ts'
import { ROLES, subjectFaults, TokensFile, type Role, type Token } from '../../schemas/access/token.ts'
import { createAjv } from '../../schemas/validation/ajv.ts'
import { Failure } from '../failure.ts'
import { isData, withExamples, withOutput, type OutputOption } from '../options.ts'
import { note, print } from '../output/print.ts'
import { printData, show } from '../output/data.ts'
import { renderTable } from '../output/table.ts'
import type { CommandEntry } from '../program.ts'
import { config, variable } from '../settings.ts'

const SHOWN_DIGITS = 12

const COLUMNS = [
  { title: 'NAME', value: (token: Shown) => token.name },
  { title: 'ROLE', value: (token: Shown) => token.role },
  { title: 'SHA256', value: (token: Shown) => token.sha256.slice(0, SHOWN_DIGITS) },
]
export const tokenCommands: readonly CommandEntry[] = [
  { name: 'create', summary: 'Create a token and print it once', load: async () => ({ define: create }) },
  { name: 'list', summary: 'List tokens', load: async () => ({ define: list }) },
  { name: 'revoke', summary: 'Revoke every token of a name', load: async () => ({ define: revoke }) },
]

type Shown = Omit<Token, 'subject'> & { name: string }

function create(command: Command): void {
  command
    .argument('<name>', 'Name that writes are recorded under')
    .addOption(new Option('--role <role>', 'Role of the token').choices([...ROLES]).default('operator'))
  withExamples(withOutput(command), 'svc token create mia --role admin').action(createToken)
}

function list(command: Command): void {
  withExamples(withOutput(command), 'svc token list').action((options: OutputOption) => {
    const tokens = readTokens().map(({ subject, ...token }): Shown => ({ name: subject, ...token }))
    return show(tokens, options, () => renderTable(tokens, COLUMNS, 'No tokens.'))
  })
}

function revoke(command: Command): void {
  command.argument('<name>', 'Name to revoke all tokens of')
  withExamples(withOutput(command), 'svc token revoke mia').action(async (name: string, options: OutputOption) => {
    refuseAgents()
    const before = readTokens()
    const after = before.filter(({ subject }) => subject !== name)
    const revoked = before.length - after.length
    if (revoked === 0)
      throw new Failure(`${name} has no token`, {
        where: config().tokensFile,
        hint: `list them with "${typed`svc token list`}"`,
      })
    writeTokens(after)
    await show({ name, revoked }, options, `All tokens of ${name} are revoked.`)
  })
}

async function createToken(name: string, options: OutputOption & { role: Role }): Promise<void> {
  refuseAgents()
  const token = randomBytes(32).toString('base64url')
  const sha256 = createHash('sha256').update(token).digest('hex')
  const tokens = [...readTokens(), { subject: name, role: options.role, sha256 }]
  const [fault] = subjectFaults(tokens)
  if (fault !== undefined)
    throw new Failure(`no token was created: ${fault}`, {
      where: config().tokensFile,
      hint: `choose another name, or replace its token: "${typed`svc token revoke ${name}`}", then create it again`,
    })
  writeTokens(tokens)
  if (isData(options)) return printData({ name, role: options.role, token }, options)
  note(
    `Token of ${name} (${options.role}), shown only once: set it as SVC_TOKEN, or send it as Authorization: Bearer <token>.`,
  )
  print(token)
}

/** An agent with a token would bypass the permissions of its manifest. */
function refuseAgents(): void {
  const name = variable('SVC_AGENT_ID') && (variable('SVC_AGENT_NAME') ?? variable('SVC_AGENT_ID'))
  if (name !== undefined)
    throw new Failure(`agent ${name} may not manage tokens`, { hint: 'have a person do it outside its session' })
}

function readTokens(): Token[] {
  const { tokensFile } = config()
  let text: string
  try {
    text = readFileSync(tokensFile, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw fileFailure((error as Error).message, error)
  }
  const content = parseJson(text)
  if (!createAjv().compile<Token[]>(TokensFile)(content))
    throw fileFailure('it is not a list of {subject, role, sha256}')
  return content
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw fileFailure(`it is not JSON: ${(error as Error).message}`, error)
  }
}

const fileFailure = (why: string, cause?: unknown): Failure =>
  new Failure(`cannot use the tokens file: ${why}`, {
    where: config().tokensFile,
    hint: 'fix it, or set SVC_TOKENS_FILE to another file',
    cause,
  })

/** Atomic, with mode 0600: the daemon never reads a partial file. */
function writeTokens(tokens: readonly Token[]): void {
  const { tokensFile } = config()
  const temporary = `${tokensFile}.${process.pid}.tmp`
  try {
    mkdirSync(dirname(tokensFile), { recursive: true, mode: 0o700 })
    writeFileSync(temporary, `${JSON.stringify(tokens, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(temporary, tokensFile)
  } catch (error) {
    throw fileFailure((error as Error).message, error)
  }
}

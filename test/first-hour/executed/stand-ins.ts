// Creates what a documented command needs, and replaces ids and placeholders.
import { join } from 'node:path'
import type { Approval } from '../../../schemas/tools/approval.ts'
import { eventually } from '../../support/eventually.ts'
import type { World } from './world.ts'

/** A documented id or placeholder. */
const ID = /\b1f3c9a2b(?:-7d4e-4f0a-9c1b-2e5d8a6b3c4f)?\b|\bID\b|\bX\b/g

type Make = (world: World, line: string) => Promise<string | void>

const ignore = () => undefined

async function heldRequests(world: World, ...names: string[]): Promise<string> {
  const pending = () => world.call<Approval[]>('orchestrator', 'GET /approvals?status=pending')
  for (const approval of await pending()) await world.call('orchestrator', `POST /approvals/${approval.id}/deny`, {})
  for (const name of names) {
    await eventually(async () => (await world.agent(name)).activity === 'idle')
    await world.stand.send((await world.agent(name)).id, 'USE_TOOL Bash echo hello')
  }
  const held = await eventually(async () => {
    const all = await pending()
    return all.length === names.length && all
  })
  return held.map(({ id }) => id).join(' ')
}

async function workflow(world: World): Promise<void> {
  const { id } = await world.agent('planner')
  await world
    .call('orchestrator', 'POST /workflows', {
      name: 'triage',
      agent_id: id,
      trigger_config: { type: 'manual' },
      prompt_template: 'Look at {{title}}',
    })
    .catch(ignore)
}

/** Makes each manual change unique: accepted values are not drift. */
let changes = 0

async function drift(world: World, line: string): Promise<void> {
  for (const name of line.includes('greeter') ? ['greeter'] : ['planner']) {
    const { id } = await world.agent(name)
    await world.call('orchestrator', `PUT /agents/${id}/policy`, { mode: 'allow_list', tools: [`Tool${++changes}`] })
    await eventually(
      async () =>
        (await world.call<{ name: string }[]>('controller', 'GET /drift?open=true')).some((each) => each.name === name),
      30_000,
    )
  }
}

async function driftedField(world: World): Promise<string> {
  const open = await world.call<{ name: string; path: string }[]>('controller', 'GET /drift?open=true')
  return `'${open.find(({ name }) => name === 'planner')!.path}'`
}

/** Creates `helper`, or deletes it for commands that create it. */
async function helper(world: World, line: string): Promise<void> {
  const isThere = (await world.agent('helper')) !== undefined
  const make = 'agent orchestrator create-agent --name helper --runtime scripted --shell bash'
  if (line.includes('create-agent'))
    await world.run(isThere ? 'agent orchestrator delete-agent helper --purge' : 'true')
  else if (!isThere) await world.run(make)
}

async function notification(world: World): Promise<string> {
  const { text } = await world.run('agent notify create Build "is red" --requires-response --json')
  return (JSON.parse(text) as { id: string }).id
}

/** Commands whose result exists, until a command deletes something. */
const made = new Set<string>()
const TAKES_AWAY = /delete|remove|forget|purge|teardown|down|adopt|clear|resume|revoke/

const byCommand =
  (line: string): Make =>
  async (world) => {
    if (made.has(line)) return
    if (TAKES_AWAY.test(line)) made.clear()
    await world.run(line)
    if (!TAKES_AWAY.test(line)) made.add(line)
  }

/** Emits events for all watching commands. */
export async function emitEvents(world: World): Promise<void> {
  await Promise.all([
    world.run('agent notify create Build "is red"'),
    world.run('agent communicate post engineering "Good morning"'),
    world.stand.send((await world.agent('planner')).id, 'Hello'),
  ])
}

async function roomMessage(world: World): Promise<string> {
  const { text } = await world.run('agent communicate post engineering "Good morning" --json')
  return (JSON.parse(text) as { id: string }).id
}

async function question(world: World): Promise<string> {
  await world.run('agent ask trigger')
  const { text } = await world.run('agent ask list --status Pending --json')
  return (JSON.parse(text) as { question_id: string }[])[0]!.question_id
}

async function memory(world: World): Promise<string> {
  const { text } = await world.run('agent memory remember "The key is rotated" --json')
  return (JSON.parse(text) as { id: string }).id
}

async function conductorRun(world: World): Promise<string> {
  await world.run('agent conductor run')
  const { text } = await world.run('agent conductor runs --json')
  return (JSON.parse(text) as { id: string }[])[0]!.id
}

/** By pattern; all matches run, and the last id is used. */
const STAND_INS: readonly (readonly [RegExp, Make])[] = [
  [/agent (orchestrator )?(get-approval|similar-approvals|approve|deny) /, (world) => heldRequests(world, 'builder')],
  [/decide approve /, (world) => heldRequests(world, 'builder', 'mason')],
  [/triage/, workflow],
  [/preview-prompt triage/, byCommand('agent orchestrator trigger-workflow triage')],
  [/create-workflow --name triage/, byCommand('agent orchestrator delete-workflow triage')],
  [/^svc history X|svc history 1f/, async (world) => (await world.call('controller', 'GET /runs?limit=1')).items[0].id],
  [/drift (revert|accept)|svc drift agents|svc diff$/, drift],
  [/drift revert agents\/planner X/, driftedField],
  [/agent notify (get|respond|view|dismiss|delete) /, notification],
  [/agent communicate (read|message|delete-message|latest|messages)/, roomMessage],
  [
    /agent communicate (?!create|delete )\S.*engineering|communicate rooms/,
    byCommand('agent communicate create engineering'),
  ],
  [/agent communicate create engineering/, byCommand('agent communicate delete engineering')],
  [/engineering (mira|ben|X)\b/, byCommand('agent communicate add-participant engineering mira --kind human')],
  [/--as conductor/, byCommand('agent communicate add-participant engineering conductor --kind agent')],
  [/remove-participant engineering ben/, byCommand('agent communicate add-participant engineering ben --kind human')],
  [/add-participant engineering ben/, byCommand('agent communicate remove-participant engineering ben')],
  [/add-participant engineering mira/, byCommand('agent communicate remove-participant engineering mira')],
  [/agent ask (get|answer) /, question],
  [/agent memory (get|share|forget) /, memory],
  [/agent doc (?!create)/, byCommand('agent doc create "Release plan" -c "# Plan" --tags plan,q3')],
  [/agent doc revision/, byCommand('for n in 1 2 3; do agent doc update release-plan -c "# Plan $n"; done')],
  [/agent doc create "Release/, byCommand('agent doc delete release-plan --yes')],
  [/agent index (?!add-repo|list-repos|health)/, byCommand('agent index add-repo --name svc --path .')],
  [/agent index (search|status)/, byCommand('agent index status svc --watch')],
  [
    /agent index (search|status) .*shop/,
    byCommand(
      'mkdir -p ~/src/shop; echo "def refund(order): pass" > ~/src/shop/a.py; agent index add-repo --name shop --path ~/src/shop; agent index status shop --watch',
    ),
  ],
  [/agent index add-repo/, byCommand('agent index remove-repo svc')],
  [/agent wrap (get|delete) shop/, byCommand('agent wrap launch shop . --agent-type alpha-code')],
  [/agent wrap launch shop/, byCommand('agent wrap delete shop')],
  [/helper/, helper],
  [/agent conductor show/, conductorRun],
  [/agent conductor mark 12/, async (world) => world.forge.openPullRequest()],
  [/remove-dir/, byCommand('agent orchestrator add-dir planner ../docs')],
  [/queue-/, byCommand('agent orchestrator queue-push jobs --title "Rebuild"')],
  [/team\.plan\.json/, byCommand('agent teardown ./team; svc plan ./team --out team.plan.json')],
  [/svc (init|export)/, async (world) => void (await world.run('rm -rf ~/empty; mkdir ~/empty'))],
  [/token revoke mia|token list/, byCommand('svc token create mia')],
  [/token create mia/, byCommand('svc token revoke mia')],
  [/svc resume (?!agents)|what waits/, byCommand('svc suspend default')],
  [/^svc resume agents/, byCommand('svc suspend agents/planner')],
  [/--base main/, byCommand('git branch main')],
  [/svc sources (forget|adopt)/, byCommand('agent teardown ./team; svc apply ./team')],
]

/** Existing values for the placeholders of hints. */
const VALUES: readonly (readonly [RegExp, string])[] = [
  [/(?<=agent (?:orchestrator )?(?:logs|messages|restart-agent|stream|send(?:-message)?)) X/, ' planner'],
  [/(?<=agent transcript) NAME/, ' planner'],
  // One stand-in returns both ids.
  [/(?<=decide approve 1f3c9a2b) 7d20e4c1/, ''],
  [/(?<=workflow-history) X/, ' hello'],
  [/(?<=--source) (?:X|NAME)/, ' default'],
  [/(?<=svc drift revert) X X/, ' agents/planner X'],
  [/(?<=svc drift (?:accept|revert)) (?:X|KIND\/NAME)/, ' agents/planner'],
  [/(?<=svc (?:diff|validate|apply|reconcile|plan)|agent (?:apply|teardown)) (?:X|PATH)/, ' ./team'],
  [/(?<=svc explain) X/, ' agents.tool_policy'],
  [/(?<=--out) FILE/, ' team.plan.json'],
  [/(?<=svc get) KIND\/NAME/, ' agents/planner'],
  [/(?<=token create) NAME/, ' mia'],
  [/(?<=token revoke) (?:X|NAME)/, ' mia'],
  [/(?<=participants) ROOM/, ' engineering'],
  [/(?<=agent) X(?= --help)/, ' notify'],
  [/(?<=svc init) (?:team|DIR|FOLDER|X)/, ' ~/empty/team'],
  [/(?<=svc init)(?=$| --from-live)/, ' ~/empty/manifests'],
  [/(?<=svc export) (?:team-now|FOLDER)/, ' ~/empty/team-now'],
  // Resumes at once: later commands need an active source and resource.
  [/(?<=svc suspend) (?:SOURCE|X)/, ' default && svc resume default'],
  [/(?<=svc suspend) (?:KIND\/NAME|agents\/planner)/, ' agents/planner && svc resume agents/planner'],
  [/(?<=svc resume) KIND\/NAME/, ' agents/planner'],
  [/(?<=svc (?:suspend|resume)) (?:team|X)/, ' default'],
  [/(?<=svc blame) KIND\/NAME \[PATH\]/, ' agents/planner tool_policy'],
  [/(?<=svc suspend|svc resume)$/, ' default'],
  [/(?<=svc schema) KIND/, ' agents'],
  [/(?<=svc sources (?:adopt|forget)) OLD/, ' old'],
  [/--into (?:new|NEW)/, '--into default'],
  // The hint continues a pipe.
  [/^svc apply -f -$/, 'cat team.yml | svc apply -f -'],
  [/^svc validate -$/, 'cat team.yml | svc validate -'],
  [/<the token>/, '"$(svc token create mia)"'],
  // Otherwise jq buffers its output.
  [/(?<=--json \| )jq/, 'jq --unbuffered'],
]

/** Returns the line with existing ids, sources and folders. */
export async function prepareCommand(world: World, line: string): Promise<string> {
  const plain = VALUES.reduce((before, [about, value]) => before.replace(about, value), line)
  let id: string | undefined
  for (const [about, make] of STAND_INS) if (about.test(plain)) id = (await make(world, plain)) ?? id
  if (TAKES_AWAY.test(plain)) made.clear()
  const applied = `'apply:${join(world.stand.project, 'team')}'`
  return plain.replace(/(?<=svc sources (?:adopt|forget)) (?:old|X)/, ` ${applied}`).replace(ID, id ?? 'X')
}

import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { SOURCE_FILE } from '../../../controller/reading/rules/source-file.ts'
import { typed } from '../../command-line.ts'
import { runtimeFile } from '../../address.ts'
import { writeSchemas, modeline, SCHEMAS_FOLDER } from '../../manifests/editor-schemas.ts'
import { exportLive, writeNew } from '../../manifests/export.ts'
import { isData, withDaemon, withExamples, type OutputOption, type UrlOption } from '../../options.ts'
import { printData } from '../../output/data.ts'
import { print, visible } from '../../output/print.ts'

type Files = Readonly<Record<string, string>>

const RULES: Files = {
  'svc.yaml': `# Sync rules of this folder: see "svc explain agents.sync" and docs/configuration.md.
sync:
  mode: auto          # manual: a change waits for "svc reconcile"
  self_heal: false    # true: manual changes are reverted
`,
}

const FILES: Files = {
  ...RULES,
  'agents/helper.yml': `name: helper          # "svc explain agents" lists all fields
runtime: scripted     # echoes prompts and needs no API key; claude-code is a real agent
working_dir: .
policy: ask-first
`,
  'policies/ask-first.yml': `name: ask-first
description: Every tool call needs approval
mode: require_approval
`,
  'workflows/greet.yml': `name: greet
agent: helper
trigger_config:
  type: manual        # cron, webhook, queue and others: "svc explain workflows.trigger_config"
prompt_template: |
  Greet {{title}}.
`,
}

interface InitOptions extends OutputOption, UrlOption {
  fromLive?: boolean
}

export function define(command: Command): void {
  command
    .argument('[dir]', 'Folder to create', 'manifests')
    .option('--from-live', 'Export the live resources of the daemon instead of an example')
  withExamples(withDaemon(command), 'svc init', 'svc init team', 'svc init team --from-live').action(init)
}

/** Overwrites nothing: if one file exists, none is written. */
async function init(folder: string, options: InitOptions): Promise<void> {
  const files = Object.entries(options.fromLive ? { ...RULES, ...(await live(options)) } : FILES)
  const schemas = join(folder, SCHEMAS_FOLDER)
  const paths = await writeNew(
    folder,
    files.map(([path, content]) => ({ path, content: `${firstLine(path, folder)}\n${content}` })),
    `use another folder: ${typed`svc init DIR`}`,
  )
  await writeSchemas(schemas)
  if (isData(options)) return printData({ folder, files: paths, schemas }, options)
  const onward = options.fromLive ? typed`svc plan ${folder}` : typed`svc apply ${folder}`
  print(
    [
      ...[...paths, schemas].map((path) => `created ${visible(path)}`),
      'next',
      `  ${typed`svc validate ${folder}`}`,
      `  ${options.fromLive || runtimeFile() ? onward : typed`svc serve --manifests ${folder}`}`,
    ].join('\n'),
  )
}

/** Schema line for editors; the folder of a manifest gives its kind. */
function firstLine(path: string, folder: string): string {
  const name = path === SOURCE_FILE ? 'svc' : path.split('/')[0]!
  return modeline(name, { folder: join(folder, dirname(path)), schemas: join(folder, SCHEMAS_FOLDER) })
}

async function live(options: UrlOption): Promise<Files> {
  const { manifests } = await exportLive(options)
  return Object.fromEntries(manifests.map(({ path, content }) => [path, content]))
}

// `svc init`: a first folder of manifests that works on any machine, to be changed into one's own.
import { mkdir, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { typed } from '../../command-line.ts'
import { runtimeFile } from '../../address.ts'
import { Failure } from '../../failure.ts'
import { isData, withExamples, withOutput, type OutputOption } from '../../options.ts'
import { printData } from '../../output/data.ts'
import { print } from '../../output/print.ts'

const FILES: Readonly<Record<string, string>> = {
  'svc.yaml': `# How this folder is kept in force: "svc explain agents.sync" and docs/configuration.md tell of each member.
sync:
  mode: auto          # manual: a change waits for "svc reconcile"
  self_heal: false    # true: what somebody changes by hand is put back
`,
  'agents/helper.yml': `# "svc explain agents" lists what else an agent can be told.
name: helper
runtime: scripted     # answers with an echo and needs no key; claude-code is the real one
working_dir: .
policy: ask-first
`,
  'policies/ask-first.yml': `name: ask-first
description: Every tool use waits for a person
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

export function define(command: Command): void {
  command.argument('[dir]', 'folder to make', 'manifests')
  withExamples(withOutput(command), 'svc init', 'svc init team').action(init)
}

/** Nothing is overwritten: where one of the files is there already, none is made. */
async function init(folder: string, options: OutputOption): Promise<void> {
  const paths = Object.keys(FILES).map((path) => join(folder, path))
  const present = paths.filter((path) => existsSync(path))
  if (present.length > 0)
    throw new Failure(`${present.join(', ')} ${present.length === 1 ? 'is' : 'are'} there already; nothing was made`, {
      hint: `name another folder: ${typed`svc init DIR`}`,
    })
  try {
    for (const [path, text] of Object.entries(FILES)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text, { flag: 'wx' })
    }
  } catch (error) {
    throw new Failure(`the manifests cannot be made: ${(error as Error).message}`, {
      where: folder,
      hint: 'name a folder you may write to',
    })
  }
  if (isData(options)) return printData({ folder, files: paths }, options)
  print(
    [
      ...paths.map((path) => `made ${path}`),
      'next',
      `  ${typed`svc validate ${folder}`}`,
      `  ${runtimeFile() ? typed`svc apply ${folder}` : typed`svc serve --manifests ${folder}`}`,
    ].join('\n'),
  )
}

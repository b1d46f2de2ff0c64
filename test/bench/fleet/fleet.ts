import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export function writeFleet(folder: string, count: number): void {
  for (const kind of ['agents', 'policies', 'workflows']) mkdirSync(join(folder, kind), { recursive: true })
  for (let index = 0; index < 3; index++)
    writeFileSync(
      join(folder, 'agents', `a${index}.yml`),
      `name: a${index}\nruntime: scripted\nworking_dir: .\nshell: bash\n`,
    )
  for (let index = 0; index < count / 2; index++) {
    writeFileSync(
      join(folder, 'policies', `p${index}.yml`),
      `# The tools of team ${index}.\nname: p${index}\ndescription: Tools of team ${index}\nmode: allow_list\ntools: [Read, Grep, "Bash(git log *)"]\n`,
    )
    writeFileSync(
      join(folder, 'workflows', `w${index}.yml`),
      `name: w${index}\nagent: a${index % 3}\ntrigger_config:\n  type: manual\npoll_interval_secs: 60\nprompt_template: |\n  Task {{title}} of team ${index}.\n  {{body}}\n`,
    )
  }
}

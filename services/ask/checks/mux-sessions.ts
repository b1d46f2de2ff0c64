import type { UserMux } from '../../../platform/terminal/user-mux.ts'
import type { LaunchReply, LaunchRequest } from '../../../schemas/wrap/launch.ts'
import type { Check } from './check.ts'

export interface MuxSessionsWorld {
  userMux: UserMux
  home: string
  launch(request: LaunchRequest): Promise<LaunchReply>
}

const SESSION_NAME = 'main'

export function muxSessions({ userMux, home, launch }: MuxSessionsWorld): Check {
  return {
    type: 'mux_sessions',
    async run() {
      const sessions = (await userMux.list()).map(({ name }) => name)
      const running = sessions.length > 0
      return {
        result: { running, session_count: sessions.length, ...(running ? { sessions } : {}) },
        question: running
          ? null
          : { title: 'Start a mux session?', message: 'No mux session is running. Start one now? Answer yes or no.' },
      }
    },
    async act() {
      const plain = { agent_type: 'general', model_provider: 'none', model_name: 'none' } as const
      const reply = await launch({ project_name: SESSION_NAME, project_path: home, ...plain })
      if (!reply.success) throw new Error(reply.message)
      return reply.message
    },
  }
}

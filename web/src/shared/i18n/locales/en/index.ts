import account from './account.json'
import auth from './auth.json'
import common from './common.json'
import editor from './editor.json'
import gallery from './gallery.json'
import home from './home.json'
import jobs from './jobs.json'
import miniApps from './mini-apps.json'
import workflows from './workflows.json'

export default { account, auth, common, editor, gallery, home, jobs, miniApps, workflows }

import account from './account.json'
import auth from './auth.json'
import common from './common.json'
import editor from './editor.json'
import gallery from './gallery.json'
import guidebook from './guidebook.json'
import home from './home.json'
import jobs from './jobs.json'
import miniApps from './mini-apps.json'
import profile from './profile.json'
import videos from './videos.json'
import workflows from './workflows.json'

export default { account, auth, common, editor, gallery, guidebook, home, jobs, miniApps, profile, videos, workflows }

import account from './account.json'
import adminNav from './admin-nav.json'
import anyJobs from './any-jobs.json'
import appUse from './app-use.json'
import audit from './audit.json'
import auth from './auth.json'
import blocks from './blocks.json'
import comments from './comments.json'
import common from './common.json'
import coupons from './coupons.json'
import curation from './curation.json'
import editor from './editor.json'
import files from './files.json'
import fleet from './fleet.json'
import gallery from './gallery.json'
import generators from './generators.json'
import guidebook from './guidebook.json'
import home from './home.json'
import intro from './intro.json'
import jobs from './jobs.json'
import legal from './legal.json'
import maskEditor from './mask-editor.json'
import miniApps from './mini-apps.json'
import moderation from './moderation.json'
import money from './money.json'
import nodeEditor from './node-editor.json'
import notifications from './notifications.json'
import orders from './orders.json'
import people from './people.json'
import pricing from './pricing.json'
import profile from './profile.json'
import promotions from './promotions.json'
import reasons from './reasons.json'
import revenue from './revenue.json'
import shortcuts from './shortcuts.json'
import simpleApps from './simple-apps.json'
import subscription from './subscription.json'
import suggestions from './suggestions.json'
import upkeep from './upkeep.json'
import videos from './videos.json'
import webhooks from './webhooks.json'
import workflowApi from './workflow-api.json'
import workflows from './workflows.json'

export default {
  account,
  adminNav,
  anyJobs,
  appUse,
  audit,
  auth,
  blocks,
  comments,
  common,
  coupons,
  curation,
  editor,
  files,
  fleet,
  gallery,
  generators,
  guidebook,
  home,
  intro,
  jobs,
  legal,
  miniApps,
  maskEditor,
  moderation,
  money,
  nodeEditor,
  notifications,
  orders,
  people,
  pricing,
  profile,
  promotions,
  reasons,
  revenue,
  shortcuts,
  simpleApps,
  subscription,
  suggestions,
  upkeep,
  videos,
  webhooks,
  workflowApi,
  workflows,
}

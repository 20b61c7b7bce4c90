// Does a value fit its schema? Written by npm run schema from the registry of kinds; do not edit.
// @ts-nocheck: code of the schema compiler, which is not typed.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// biome-ignore-all assist: generated
var __defProp=Object.defineProperty;var __getOwnPropDesc=Object.getOwnPropertyDescriptor;var __getOwnPropNames=Object.getOwnPropertyNames;var __hasOwnProp=Object.prototype.hasOwnProperty;var __esm=(fn,res,err)=>function(){if(err)throw err[0];try{return fn&&(res=(0,fn[__getOwnPropNames(fn)[0]])(fn=0)),res}catch(e){
throw err=[e],e}};var __commonJS=(cb,mod)=>function(){try{return mod||(0,cb[__getOwnPropNames(cb)[0]])((mod={exports:{}}).exports,mod),mod.
exports}catch(e){throw mod=0,e}};var __export=(target,all)=>{for(var name in all)__defProp(target,name,{get:all[name],enumerable:!0})},__copyProps=(to,from,except,desc)=>{
if(from&&typeof from=="object"||typeof from=="function")for(let key of __getOwnPropNames(from))!__hasOwnProp.call(to,key)&&
key!==except&&__defProp(to,key,{get:()=>from[key],enumerable:!(desc=__getOwnPropDesc(from,key))||desc.enumerable});return to};var __toCommonJS=mod=>__copyProps(__defProp({},"__esModule",{value:!0}),mod);var require_ucs2length=__commonJS({"node_modules/ajv/dist/runtime/ucs2length.js"(exports){"use strict";Object.defineProperty(
exports,"__esModule",{value:!0});function ucs2length(str){let len=str.length,length=0,pos=0,value;for(;pos<len;)length++,
value=str.charCodeAt(pos++),value>=55296&&value<=56319&&pos<len&&(value=str.charCodeAt(pos),(value&64512)===56320&&pos++);
return length}exports.default=ucs2length;ucs2length.code='require("ajv/dist/runtime/ucs2length").default'}});var require_fast_deep_equal=__commonJS({"node_modules/fast-deep-equal/index.js"(exports,module){"use strict";module.exports=
function equal(a,b){if(a===b)return!0;if(a&&b&&typeof a=="object"&&typeof b=="object"){if(a.constructor!==b.constructor)
return!1;var length,i,keys;if(Array.isArray(a)){if(length=a.length,length!=b.length)return!1;for(i=length;i--!==0;)if(!equal(
a[i],b[i]))return!1;return!0}if(a.constructor===RegExp)return a.source===b.source&&a.flags===b.flags;if(a.valueOf!==Object.
prototype.valueOf)return a.valueOf()===b.valueOf();if(a.toString!==Object.prototype.toString)return a.toString()===b.toString();
if(keys=Object.keys(a),length=keys.length,length!==Object.keys(b).length)return!1;for(i=length;i--!==0;)if(!Object.prototype.
hasOwnProperty.call(b,keys[i]))return!1;for(i=length;i--!==0;){var key=keys[i];if(!equal(a[key],b[key]))return!1}return!0}
return a!==a&&b!==b}}});var require_equal=__commonJS({"node_modules/ajv/dist/runtime/equal.js"(exports){"use strict";Object.defineProperty(exports,
"__esModule",{value:!0});var equal=require_fast_deep_equal();equal.code='require("ajv/dist/runtime/equal").default';exports.
default=equal}});var formats_exports={};__export(formats_exports,{formats:()=>formats});function isDate(text){return/^\d{4}-\d{2}-\d{2}$/u.
test(text)&&isDay(text)}function isDateTime(text){return/^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/u.
test(text)&&isDay(text.slice(0,10))}function isDay(text){let time=Date.parse(`${text}T00:00:00Z`);return!Number.isNaN(time)&&
new Date(time).toISOString().startsWith(text)}var formats,init_formats=__esm({"src/manifest/schema/formats.ts"(){"use st\
rict";formats={date:isDate,"date-time":isDateTime}}});var outline_default=validate20,schema31={type:"object",required:["version"],properties:{version:{const:1},application:{type:"\
object",properties:{base_url:{type:"string",pattern:"^(https?://|emulator:|\\$\\{)"},rate_plan:{enum:["free_trial","5k_m\
au","10k_mau","25k_mau","50k_mau","100k_mau"]},limits:{type:"object",properties:{messages_per_migration:{type:"integer",
minimum:1}},propertyNames:{pattern:"^((GET|POST|PUT|DELETE)( /[^ ]+)?|messages_per_migration)$"},additionalProperties:{type:"\
number",exclusiveMinimum:0}},rate_share:{type:"number",exclusiveMinimum:0,maximum:1,default:1}},additionalProperties:!1},
policy:{type:"object",properties:{on_remove:{type:"object",properties:{user:{enum:["deactivate","delete","forget"]},open_channel:{
enum:["freeze","delete","forget"]},group_channel:{enum:["freeze","delete","forget"]}},additionalProperties:!1},removals:{
type:"object",properties:{max_share:{type:"number",minimum:0,maximum:1,default:.1},min_count:{type:"integer",minimum:0,default:10}},
additionalProperties:!1},acknowledge:{type:"array",items:{type:"object",required:["effect","count"],properties:{effect:{
enum:["user.deactivate","user.reactivate","user.delete","user.forget","open_channel.freeze","open_channel.unfreeze","ope\
n_channel.delete","open_channel.forget","group_channel.freeze","group_channel.unfreeze","group_channel.delete","group_ch\
annel.forget","group_channel.leave","messages.forget"]},count:{type:"integer",minimum:1},expires:{type:"string",format:"\
date"}},additionalProperties:!1}},existing:{enum:["refuse","adopt_equal","adopt"],default:"refuse"},external:{type:"obje\
ct",properties:{users:{type:"array",items:{type:"string",minLength:1}},open_channels:{type:"array",items:{type:"string",
minLength:1}},group_channels:{type:"array",items:{type:"string",minLength:1}}},additionalProperties:!1},restrictions:{type:"\
array",items:{type:"object",required:["files"],properties:{files:{type:"string",minLength:1},users:{type:"array",items:{
type:"string",minLength:1}},open_channels:{type:"array",items:{type:"string",minLength:1}},group_channels:{type:"array",
items:{type:"string",minLength:1}},verbs:{type:"array",items:{enum:["create","update","remove"]},uniqueItems:!0},fields:{
type:"object",properties:{users:{type:"array",items:{enum:["nickname","profile_url","profile_file","metadata","issue_acc\
ess_token","session_token","deactivated","lifecycle"]},uniqueItems:!0},open_channels:{type:"array",items:{enum:["name","\
cover_url","cover_file","custom_type","data","is_ephemeral","operators","operators_mode","frozen","is_dynamic_partitione\
d","messages","lifecycle"]},uniqueItems:!0},group_channels:{type:"array",items:{enum:["name","cover_url","cover_file","c\
ustom_type","data","is_ephemeral","members","members_mode","operators","operators_mode","is_distinct","is_public","is_su\
per","access_code","inviter_id","strict","block_sdk_user_channel_join","frozen","messages","lifecycle"]},uniqueItems:!0}},
additionalProperties:!1}},additionalProperties:!1}},personal_data:{enum:["error","warn"],default:"error"},departed:{enum:[
"leave_alone","reinvite"],default:"leave_alone"},reopen:{type:"object",properties:{frozen:{enum:["allow","refuse"],default:"\
allow"},deactivated:{enum:["allow","refuse"],default:"refuse"}},additionalProperties:!1},leave_channels_on_deactivation:{
type:"boolean",default:!1},trust_dedup:{type:"boolean",default:!1}},additionalProperties:!1},defaults:{type:"object",properties:{
users:{type:"object"},open_channels:{type:"object"},group_channels:{type:"object"}},additionalProperties:!1},users:{type:"\
object"},open_channels:{type:"object"},group_channels:{type:"object"},sources:{type:"array",items:{type:"object",required:[
"kind","file"],properties:{kind:{enum:["user","open_channel","group_channel","messages"]},file:{type:"string"},mark_as_read:{
const:!0}},additionalProperties:!1,allOf:[{if:{properties:{kind:{const:"messages"}},required:["kind"]},then:{properties:{
file:{pattern:"\\{channel_url\\}[^/]*$"}}},else:{properties:{file:{pattern:"\\.(ndjson|csv)(\\.gz)?$"}}}}]}},removed:{type:"\
array",items:{type:"object",required:["address"],properties:{address:{type:"string"},on_remove:{enum:["deactivate","dele\
te","forget","freeze"]}},additionalProperties:!1}}},additionalProperties:!1},func0=Object.prototype.hasOwnProperty,func87=require_ucs2length().
default,func27=require_equal().default,pattern4=new RegExp("^(https?://|emulator:|\\$\\{)","u"),pattern5=new RegExp("^((\
GET|POST|PUT|DELETE)( /[^ ]+)?|messages_per_migration)$","u"),pattern6=new RegExp("\\{channel_url\\}[^/]*$","u"),pattern7=new RegExp(
"\\.(ndjson|csv)(\\.gz)?$","u"),formats0=(init_formats(),__toCommonJS(formats_exports)).formats.date;function validate20(data,{
instancePath="",parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){let vErrors=null,errors=0,evaluated0=validate20.
evaluated;if(evaluated0.dynamicProps&&(evaluated0.props=void 0),evaluated0.dynamicItems&&(evaluated0.items=void 0),data&&
typeof data=="object"&&!Array.isArray(data)){if(data.version===void 0||!func0.call(data,"version")){let err0={instancePath,
schemaPath:"#/required",keyword:"required",params:{missingProperty:"version"},message:"must have required property 'vers\
ion'"};vErrors===null?vErrors=[err0]:vErrors.push(err0),errors++}for(let key0 of Object.keys(data))if(!func0.call(schema31.
properties,key0)){let err1={instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key0},
message:"must NOT have additional properties"};vErrors===null?vErrors=[err1]:vErrors.push(err1),errors++}if(data.version!==
void 0&&func0.call(data,"version")&&data.version!==1){let err2={instancePath:instancePath+"/version",schemaPath:"#/prope\
rties/version/const",keyword:"const",params:{allowedValue:1},message:"must be equal to constant"};vErrors===null?vErrors=
[err2]:vErrors.push(err2),errors++}if(data.application!==void 0&&func0.call(data,"application")){let data1=data.application;
if(data1&&typeof data1=="object"&&!Array.isArray(data1)){for(let key1 of Object.keys(data1))if(!(key1==="base_url"||key1===
"rate_plan"||key1==="limits"||key1==="rate_share")){let err3={instancePath:instancePath+"/application",schemaPath:"#/pro\
perties/application/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key1},message:"must \
NOT have additional properties"};vErrors===null?vErrors=[err3]:vErrors.push(err3),errors++}if(data1.base_url!==void 0&&func0.
call(data1,"base_url")){let data2=data1.base_url;if(typeof data2=="string"){if(!pattern4.test(data2)){let err4={instancePath:instancePath+
"/application/base_url",schemaPath:"#/properties/application/properties/base_url/pattern",keyword:"pattern",params:{pattern:"\
^(https?://|emulator:|\\$\\{)"},message:'must match pattern "^(https?://|emulator:|\\$\\{)"'};vErrors===null?vErrors=[err4]:
vErrors.push(err4),errors++}}else{let err5={instancePath:instancePath+"/application/base_url",schemaPath:"#/properties/a\
pplication/properties/base_url/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=
[err5]:vErrors.push(err5),errors++}}if(data1.rate_plan!==void 0&&func0.call(data1,"rate_plan")){let data3=data1.rate_plan;
if(!(data3==="free_trial"||data3==="5k_mau"||data3==="10k_mau"||data3==="25k_mau"||data3==="50k_mau"||data3==="100k_mau")){
let err6={instancePath:instancePath+"/application/rate_plan",schemaPath:"#/properties/application/properties/rate_plan/e\
num",keyword:"enum",params:{allowedValues:schema31.properties.application.properties.rate_plan.enum},message:"must be eq\
ual to one of the allowed values"};vErrors===null?vErrors=[err6]:vErrors.push(err6),errors++}}if(data1.limits!==void 0&&
func0.call(data1,"limits")){let data4=data1.limits;if(data4&&typeof data4=="object"&&!Array.isArray(data4)){for(let key2 of Object.
keys(data4)){let _errs11=errors;if(typeof key2=="string"&&!pattern5.test(key2)){let err7={instancePath:instancePath+"/ap\
plication/limits",schemaPath:"#/properties/application/properties/limits/propertyNames/pattern",keyword:"pattern",params:{
pattern:"^((GET|POST|PUT|DELETE)( /[^ ]+)?|messages_per_migration)$"},message:'must match pattern "^((GET|POST|PUT|DELET\
E)( /[^ ]+)?|messages_per_migration)$"',propertyName:key2};vErrors===null?vErrors=[err7]:vErrors.push(err7),errors++}var valid2=_errs11===
errors;if(!valid2){let err8={instancePath:instancePath+"/application/limits",schemaPath:"#/properties/application/proper\
ties/limits/propertyNames",keyword:"propertyNames",params:{propertyName:key2},message:"property name must be valid"};vErrors===
null?vErrors=[err8]:vErrors.push(err8),errors++}}for(let key3 of Object.keys(data4))if(key3!=="messages_per_migration"){
let data5=data4[key3];if(typeof data5=="number"&&isFinite(data5)){if(data5<=0||isNaN(data5)){let err9={instancePath:instancePath+
"/application/limits/"+key3.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/application/properties/limit\
s/additionalProperties/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison:">",limit:0},message:"must be > 0"};
vErrors===null?vErrors=[err9]:vErrors.push(err9),errors++}}else{let err10={instancePath:instancePath+"/application/limit\
s/"+key3.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/application/properties/limits/additionalPropert\
ies/type",keyword:"type",params:{type:"number"},message:"must be number"};vErrors===null?vErrors=[err10]:vErrors.push(err10),
errors++}}if(data4.messages_per_migration!==void 0&&func0.call(data4,"messages_per_migration")){let data6=data4.messages_per_migration;
if(!(typeof data6=="number"&&!(data6%1)&&!isNaN(data6)&&isFinite(data6))){let err11={instancePath:instancePath+"/applica\
tion/limits/messages_per_migration",schemaPath:"#/properties/application/properties/limits/properties/messages_per_migra\
tion/type",keyword:"type",params:{type:"integer"},message:"must be integer"};vErrors===null?vErrors=[err11]:vErrors.push(
err11),errors++}if(typeof data6=="number"&&isFinite(data6)&&(data6<1||isNaN(data6))){let err12={instancePath:instancePath+
"/application/limits/messages_per_migration",schemaPath:"#/properties/application/properties/limits/properties/messages_\
per_migration/minimum",keyword:"minimum",params:{comparison:">=",limit:1},message:"must be >= 1"};vErrors===null?vErrors=
[err12]:vErrors.push(err12),errors++}}}else{let err13={instancePath:instancePath+"/application/limits",schemaPath:"#/pro\
perties/application/properties/limits/type",keyword:"type",params:{type:"object"},message:"must be object"};vErrors===null?
vErrors=[err13]:vErrors.push(err13),errors++}}if(data1.rate_share!==void 0&&func0.call(data1,"rate_share")){let data7=data1.
rate_share;if(typeof data7=="number"&&isFinite(data7)){if(data7>1||isNaN(data7)){let err14={instancePath:instancePath+"/\
application/rate_share",schemaPath:"#/properties/application/properties/rate_share/maximum",keyword:"maximum",params:{comparison:"\
<=",limit:1},message:"must be <= 1"};vErrors===null?vErrors=[err14]:vErrors.push(err14),errors++}if(data7<=0||isNaN(data7)){
let err15={instancePath:instancePath+"/application/rate_share",schemaPath:"#/properties/application/properties/rate_shar\
e/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison:">",limit:0},message:"must be > 0"};vErrors===null?vErrors=
[err15]:vErrors.push(err15),errors++}}else{let err16={instancePath:instancePath+"/application/rate_share",schemaPath:"#/\
properties/application/properties/rate_share/type",keyword:"type",params:{type:"number"},message:"must be number"};vErrors===
null?vErrors=[err16]:vErrors.push(err16),errors++}}}else{let err17={instancePath:instancePath+"/application",schemaPath:"\
#/properties/application/type",keyword:"type",params:{type:"object"},message:"must be object"};vErrors===null?vErrors=[err17]:
vErrors.push(err17),errors++}}if(data.policy!==void 0&&func0.call(data,"policy")){let data8=data.policy;if(data8&&typeof data8==
"object"&&!Array.isArray(data8)){for(let key4 of Object.keys(data8))if(!func0.call(schema31.properties.policy.properties,
key4)){let err18={instancePath:instancePath+"/policy",schemaPath:"#/properties/policy/additionalProperties",keyword:"add\
itionalProperties",params:{additionalProperty:key4},message:"must NOT have additional properties"};vErrors===null?vErrors=
[err18]:vErrors.push(err18),errors++}if(data8.on_remove!==void 0&&func0.call(data8,"on_remove")){let data9=data8.on_remove;
if(data9&&typeof data9=="object"&&!Array.isArray(data9)){for(let key5 of Object.keys(data9))if(!(key5==="user"||key5==="\
open_channel"||key5==="group_channel")){let err19={instancePath:instancePath+"/policy/on_remove",schemaPath:"#/propertie\
s/policy/properties/on_remove/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key5},message:"\
must NOT have additional properties"};vErrors===null?vErrors=[err19]:vErrors.push(err19),errors++}if(data9.user!==void 0&&
func0.call(data9,"user")){let data10=data9.user;if(!(data10==="deactivate"||data10==="delete"||data10==="forget")){let err20={
instancePath:instancePath+"/policy/on_remove/user",schemaPath:"#/properties/policy/properties/on_remove/properties/user/\
enum",keyword:"enum",params:{allowedValues:schema31.properties.policy.properties.on_remove.properties.user.enum},message:"\
must be equal to one of the allowed values"};vErrors===null?vErrors=[err20]:vErrors.push(err20),errors++}}if(data9.open_channel!==
void 0&&func0.call(data9,"open_channel")){let data11=data9.open_channel;if(!(data11==="freeze"||data11==="delete"||data11===
"forget")){let err21={instancePath:instancePath+"/policy/on_remove/open_channel",schemaPath:"#/properties/policy/propert\
ies/on_remove/properties/open_channel/enum",keyword:"enum",params:{allowedValues:schema31.properties.policy.properties.on_remove.
properties.open_channel.enum},message:"must be equal to one of the allowed values"};vErrors===null?vErrors=[err21]:vErrors.
push(err21),errors++}}if(data9.group_channel!==void 0&&func0.call(data9,"group_channel")){let data12=data9.group_channel;
if(!(data12==="freeze"||data12==="delete"||data12==="forget")){let err22={instancePath:instancePath+"/policy/on_remove/g\
roup_channel",schemaPath:"#/properties/policy/properties/on_remove/properties/group_channel/enum",keyword:"enum",params:{
allowedValues:schema31.properties.policy.properties.on_remove.properties.group_channel.enum},message:"must be equal to o\
ne of the allowed values"};vErrors===null?vErrors=[err22]:vErrors.push(err22),errors++}}}else{let err23={instancePath:instancePath+
"/policy/on_remove",schemaPath:"#/properties/policy/properties/on_remove/type",keyword:"type",params:{type:"object"},message:"\
must be object"};vErrors===null?vErrors=[err23]:vErrors.push(err23),errors++}}if(data8.removals!==void 0&&func0.call(data8,
"removals")){let data13=data8.removals;if(data13&&typeof data13=="object"&&!Array.isArray(data13)){for(let key6 of Object.
keys(data13))if(!(key6==="max_share"||key6==="min_count")){let err24={instancePath:instancePath+"/policy/removals",schemaPath:"\
#/properties/policy/properties/removals/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key6},
message:"must NOT have additional properties"};vErrors===null?vErrors=[err24]:vErrors.push(err24),errors++}if(data13.max_share!==
void 0&&func0.call(data13,"max_share")){let data14=data13.max_share;if(typeof data14=="number"&&isFinite(data14)){if(data14>
1||isNaN(data14)){let err25={instancePath:instancePath+"/policy/removals/max_share",schemaPath:"#/properties/policy/prop\
erties/removals/properties/max_share/maximum",keyword:"maximum",params:{comparison:"<=",limit:1},message:"must be <= 1"};
vErrors===null?vErrors=[err25]:vErrors.push(err25),errors++}if(data14<0||isNaN(data14)){let err26={instancePath:instancePath+
"/policy/removals/max_share",schemaPath:"#/properties/policy/properties/removals/properties/max_share/minimum",keyword:"\
minimum",params:{comparison:">=",limit:0},message:"must be >= 0"};vErrors===null?vErrors=[err26]:vErrors.push(err26),errors++}}else{
let err27={instancePath:instancePath+"/policy/removals/max_share",schemaPath:"#/properties/policy/properties/removals/pr\
operties/max_share/type",keyword:"type",params:{type:"number"},message:"must be number"};vErrors===null?vErrors=[err27]:
vErrors.push(err27),errors++}}if(data13.min_count!==void 0&&func0.call(data13,"min_count")){let data15=data13.min_count;
if(!(typeof data15=="number"&&!(data15%1)&&!isNaN(data15)&&isFinite(data15))){let err28={instancePath:instancePath+"/pol\
icy/removals/min_count",schemaPath:"#/properties/policy/properties/removals/properties/min_count/type",keyword:"type",params:{
type:"integer"},message:"must be integer"};vErrors===null?vErrors=[err28]:vErrors.push(err28),errors++}if(typeof data15==
"number"&&isFinite(data15)&&(data15<0||isNaN(data15))){let err29={instancePath:instancePath+"/policy/removals/min_count",
schemaPath:"#/properties/policy/properties/removals/properties/min_count/minimum",keyword:"minimum",params:{comparison:"\
>=",limit:0},message:"must be >= 0"};vErrors===null?vErrors=[err29]:vErrors.push(err29),errors++}}}else{let err30={instancePath:instancePath+
"/policy/removals",schemaPath:"#/properties/policy/properties/removals/type",keyword:"type",params:{type:"object"},message:"\
must be object"};vErrors===null?vErrors=[err30]:vErrors.push(err30),errors++}}if(data8.acknowledge!==void 0&&func0.call(
data8,"acknowledge")){let data16=data8.acknowledge;if(Array.isArray(data16)){let len0=data16.length;for(let i0=0;i0<len0;i0++){
let data17=data16[i0];if(data17&&typeof data17=="object"&&!Array.isArray(data17)){if(data17.effect===void 0||!func0.call(
data17,"effect")){let err31={instancePath:instancePath+"/policy/acknowledge/"+i0,schemaPath:"#/properties/policy/propert\
ies/acknowledge/items/required",keyword:"required",params:{missingProperty:"effect"},message:"must have required propert\
y 'effect'"};vErrors===null?vErrors=[err31]:vErrors.push(err31),errors++}if(data17.count===void 0||!func0.call(data17,"c\
ount")){let err32={instancePath:instancePath+"/policy/acknowledge/"+i0,schemaPath:"#/properties/policy/properties/acknow\
ledge/items/required",keyword:"required",params:{missingProperty:"count"},message:"must have required property 'count'"};
vErrors===null?vErrors=[err32]:vErrors.push(err32),errors++}for(let key7 of Object.keys(data17))if(!(key7==="effect"||key7===
"count"||key7==="expires")){let err33={instancePath:instancePath+"/policy/acknowledge/"+i0,schemaPath:"#/properties/poli\
cy/properties/acknowledge/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key7},message:"\
must NOT have additional properties"};vErrors===null?vErrors=[err33]:vErrors.push(err33),errors++}if(data17.effect!==void 0&&
func0.call(data17,"effect")){let data18=data17.effect;if(!(data18==="user.deactivate"||data18==="user.reactivate"||data18===
"user.delete"||data18==="user.forget"||data18==="open_channel.freeze"||data18==="open_channel.unfreeze"||data18==="open_\
channel.delete"||data18==="open_channel.forget"||data18==="group_channel.freeze"||data18==="group_channel.unfreeze"||data18===
"group_channel.delete"||data18==="group_channel.forget"||data18==="group_channel.leave"||data18==="messages.forget")){let err34={
instancePath:instancePath+"/policy/acknowledge/"+i0+"/effect",schemaPath:"#/properties/policy/properties/acknowledge/ite\
ms/properties/effect/enum",keyword:"enum",params:{allowedValues:schema31.properties.policy.properties.acknowledge.items.
properties.effect.enum},message:"must be equal to one of the allowed values"};vErrors===null?vErrors=[err34]:vErrors.push(
err34),errors++}}if(data17.count!==void 0&&func0.call(data17,"count")){let data19=data17.count;if(!(typeof data19=="numb\
er"&&!(data19%1)&&!isNaN(data19)&&isFinite(data19))){let err35={instancePath:instancePath+"/policy/acknowledge/"+i0+"/co\
unt",schemaPath:"#/properties/policy/properties/acknowledge/items/properties/count/type",keyword:"type",params:{type:"in\
teger"},message:"must be integer"};vErrors===null?vErrors=[err35]:vErrors.push(err35),errors++}if(typeof data19=="number"&&
isFinite(data19)&&(data19<1||isNaN(data19))){let err36={instancePath:instancePath+"/policy/acknowledge/"+i0+"/count",schemaPath:"\
#/properties/policy/properties/acknowledge/items/properties/count/minimum",keyword:"minimum",params:{comparison:">=",limit:1},
message:"must be >= 1"};vErrors===null?vErrors=[err36]:vErrors.push(err36),errors++}}if(data17.expires!==void 0&&func0.call(
data17,"expires")){let data20=data17.expires;if(typeof data20=="string"){if(!formats0(data20)){let err37={instancePath:instancePath+
"/policy/acknowledge/"+i0+"/expires",schemaPath:"#/properties/policy/properties/acknowledge/items/properties/expires/for\
mat",keyword:"format",params:{format:"date"},message:'must match format "date"'};vErrors===null?vErrors=[err37]:vErrors.
push(err37),errors++}}else{let err38={instancePath:instancePath+"/policy/acknowledge/"+i0+"/expires",schemaPath:"#/prope\
rties/policy/properties/acknowledge/items/properties/expires/type",keyword:"type",params:{type:"string"},message:"must b\
e string"};vErrors===null?vErrors=[err38]:vErrors.push(err38),errors++}}}else{let err39={instancePath:instancePath+"/pol\
icy/acknowledge/"+i0,schemaPath:"#/properties/policy/properties/acknowledge/items/type",keyword:"type",params:{type:"obj\
ect"},message:"must be object"};vErrors===null?vErrors=[err39]:vErrors.push(err39),errors++}}}else{let err40={instancePath:instancePath+
"/policy/acknowledge",schemaPath:"#/properties/policy/properties/acknowledge/type",keyword:"type",params:{type:"array"},
message:"must be array"};vErrors===null?vErrors=[err40]:vErrors.push(err40),errors++}}if(data8.existing!==void 0&&func0.
call(data8,"existing")){let data21=data8.existing;if(!(data21==="refuse"||data21==="adopt_equal"||data21==="adopt")){let err41={
instancePath:instancePath+"/policy/existing",schemaPath:"#/properties/policy/properties/existing/enum",keyword:"enum",params:{
allowedValues:schema31.properties.policy.properties.existing.enum},message:"must be equal to one of the allowed values"};
vErrors===null?vErrors=[err41]:vErrors.push(err41),errors++}}if(data8.external!==void 0&&func0.call(data8,"external")){let data22=data8.
external;if(data22&&typeof data22=="object"&&!Array.isArray(data22)){for(let key8 of Object.keys(data22))if(!(key8==="us\
ers"||key8==="open_channels"||key8==="group_channels")){let err42={instancePath:instancePath+"/policy/external",schemaPath:"\
#/properties/policy/properties/external/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key8},
message:"must NOT have additional properties"};vErrors===null?vErrors=[err42]:vErrors.push(err42),errors++}if(data22.users!==
void 0&&func0.call(data22,"users")){let data23=data22.users;if(Array.isArray(data23)){let len1=data23.length;for(let i1=0;i1<
len1;i1++){let data24=data23[i1];if(typeof data24=="string"){if(data24.length<1){let err43={instancePath:instancePath+"/\
policy/external/users/"+i1,schemaPath:"#/properties/policy/properties/external/properties/users/items/minLength",keyword:"\
minLength",params:{limit:1},message:"must NOT have fewer than 1 characters"};vErrors===null?vErrors=[err43]:vErrors.push(
err43),errors++}}else{let err44={instancePath:instancePath+"/policy/external/users/"+i1,schemaPath:"#/properties/policy/\
properties/external/properties/users/items/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===
null?vErrors=[err44]:vErrors.push(err44),errors++}}}else{let err45={instancePath:instancePath+"/policy/external/users",schemaPath:"\
#/properties/policy/properties/external/properties/users/type",keyword:"type",params:{type:"array"},message:"must be arr\
ay"};vErrors===null?vErrors=[err45]:vErrors.push(err45),errors++}}if(data22.open_channels!==void 0&&func0.call(data22,"o\
pen_channels")){let data25=data22.open_channels;if(Array.isArray(data25)){let len2=data25.length;for(let i2=0;i2<len2;i2++){
let data26=data25[i2];if(typeof data26=="string"){if(data26.length<1){let err46={instancePath:instancePath+"/policy/exte\
rnal/open_channels/"+i2,schemaPath:"#/properties/policy/properties/external/properties/open_channels/items/minLength",keyword:"\
minLength",params:{limit:1},message:"must NOT have fewer than 1 characters"};vErrors===null?vErrors=[err46]:vErrors.push(
err46),errors++}}else{let err47={instancePath:instancePath+"/policy/external/open_channels/"+i2,schemaPath:"#/properties\
/policy/properties/external/properties/open_channels/items/type",keyword:"type",params:{type:"string"},message:"must be \
string"};vErrors===null?vErrors=[err47]:vErrors.push(err47),errors++}}}else{let err48={instancePath:instancePath+"/polic\
y/external/open_channels",schemaPath:"#/properties/policy/properties/external/properties/open_channels/type",keyword:"ty\
pe",params:{type:"array"},message:"must be array"};vErrors===null?vErrors=[err48]:vErrors.push(err48),errors++}}if(data22.
group_channels!==void 0&&func0.call(data22,"group_channels")){let data27=data22.group_channels;if(Array.isArray(data27)){
let len3=data27.length;for(let i3=0;i3<len3;i3++){let data28=data27[i3];if(typeof data28=="string"){if(data28.length<1){
let err49={instancePath:instancePath+"/policy/external/group_channels/"+i3,schemaPath:"#/properties/policy/properties/ex\
ternal/properties/group_channels/items/minLength",keyword:"minLength",params:{limit:1},message:"must NOT have fewer than\
 1 characters"};vErrors===null?vErrors=[err49]:vErrors.push(err49),errors++}}else{let err50={instancePath:instancePath+"\
/policy/external/group_channels/"+i3,schemaPath:"#/properties/policy/properties/external/properties/group_channels/items\
/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err50]:vErrors.push(err50),
errors++}}}else{let err51={instancePath:instancePath+"/policy/external/group_channels",schemaPath:"#/properties/policy/p\
roperties/external/properties/group_channels/type",keyword:"type",params:{type:"array"},message:"must be array"};vErrors===
null?vErrors=[err51]:vErrors.push(err51),errors++}}}else{let err52={instancePath:instancePath+"/policy/external",schemaPath:"\
#/properties/policy/properties/external/type",keyword:"type",params:{type:"object"},message:"must be object"};vErrors===
null?vErrors=[err52]:vErrors.push(err52),errors++}}if(data8.restrictions!==void 0&&func0.call(data8,"restrictions")){let data29=data8.
restrictions;if(Array.isArray(data29)){let len4=data29.length;for(let i4=0;i4<len4;i4++){let data30=data29[i4];if(data30&&
typeof data30=="object"&&!Array.isArray(data30)){if(data30.files===void 0||!func0.call(data30,"files")){let err53={instancePath:instancePath+
"/policy/restrictions/"+i4,schemaPath:"#/properties/policy/properties/restrictions/items/required",keyword:"required",params:{
missingProperty:"files"},message:"must have required property 'files'"};vErrors===null?vErrors=[err53]:vErrors.push(err53),
errors++}for(let key9 of Object.keys(data30))if(!(key9==="files"||key9==="users"||key9==="open_channels"||key9==="group_\
channels"||key9==="verbs"||key9==="fields")){let err54={instancePath:instancePath+"/policy/restrictions/"+i4,schemaPath:"\
#/properties/policy/properties/restrictions/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key9},
message:"must NOT have additional properties"};vErrors===null?vErrors=[err54]:vErrors.push(err54),errors++}if(data30.files!==
void 0&&func0.call(data30,"files")){let data31=data30.files;if(typeof data31=="string"){if(data31.length<1){let err55={instancePath:instancePath+
"/policy/restrictions/"+i4+"/files",schemaPath:"#/properties/policy/properties/restrictions/items/properties/files/minLe\
ngth",keyword:"minLength",params:{limit:1},message:"must NOT have fewer than 1 characters"};vErrors===null?vErrors=[err55]:
vErrors.push(err55),errors++}}else{let err56={instancePath:instancePath+"/policy/restrictions/"+i4+"/files",schemaPath:"\
#/properties/policy/properties/restrictions/items/properties/files/type",keyword:"type",params:{type:"string"},message:"\
must be string"};vErrors===null?vErrors=[err56]:vErrors.push(err56),errors++}}if(data30.users!==void 0&&func0.call(data30,
"users")){let data32=data30.users;if(Array.isArray(data32)){let len5=data32.length;for(let i5=0;i5<len5;i5++){let data33=data32[i5];
if(typeof data33=="string"){if(data33.length<1){let err57={instancePath:instancePath+"/policy/restrictions/"+i4+"/users/"+
i5,schemaPath:"#/properties/policy/properties/restrictions/items/properties/users/items/minLength",keyword:"minLength",params:{
limit:1},message:"must NOT have fewer than 1 characters"};vErrors===null?vErrors=[err57]:vErrors.push(err57),errors++}}else{
let err58={instancePath:instancePath+"/policy/restrictions/"+i4+"/users/"+i5,schemaPath:"#/properties/policy/properties/\
restrictions/items/properties/users/items/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===
null?vErrors=[err58]:vErrors.push(err58),errors++}}}else{let err59={instancePath:instancePath+"/policy/restrictions/"+i4+
"/users",schemaPath:"#/properties/policy/properties/restrictions/items/properties/users/type",keyword:"type",params:{type:"\
array"},message:"must be array"};vErrors===null?vErrors=[err59]:vErrors.push(err59),errors++}}if(data30.open_channels!==
void 0&&func0.call(data30,"open_channels")){let data34=data30.open_channels;if(Array.isArray(data34)){let len6=data34.length;
for(let i6=0;i6<len6;i6++){let data35=data34[i6];if(typeof data35=="string"){if(data35.length<1){let err60={instancePath:instancePath+
"/policy/restrictions/"+i4+"/open_channels/"+i6,schemaPath:"#/properties/policy/properties/restrictions/items/properties\
/open_channels/items/minLength",keyword:"minLength",params:{limit:1},message:"must NOT have fewer than 1 characters"};vErrors===
null?vErrors=[err60]:vErrors.push(err60),errors++}}else{let err61={instancePath:instancePath+"/policy/restrictions/"+i4+
"/open_channels/"+i6,schemaPath:"#/properties/policy/properties/restrictions/items/properties/open_channels/items/type",
keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err61]:vErrors.push(err61),errors++}}}else{
let err62={instancePath:instancePath+"/policy/restrictions/"+i4+"/open_channels",schemaPath:"#/properties/policy/propert\
ies/restrictions/items/properties/open_channels/type",keyword:"type",params:{type:"array"},message:"must be array"};vErrors===
null?vErrors=[err62]:vErrors.push(err62),errors++}}if(data30.group_channels!==void 0&&func0.call(data30,"group_channels")){
let data36=data30.group_channels;if(Array.isArray(data36)){let len7=data36.length;for(let i7=0;i7<len7;i7++){let data37=data36[i7];
if(typeof data37=="string"){if(data37.length<1){let err63={instancePath:instancePath+"/policy/restrictions/"+i4+"/group_\
channels/"+i7,schemaPath:"#/properties/policy/properties/restrictions/items/properties/group_channels/items/minLength",keyword:"\
minLength",params:{limit:1},message:"must NOT have fewer than 1 characters"};vErrors===null?vErrors=[err63]:vErrors.push(
err63),errors++}}else{let err64={instancePath:instancePath+"/policy/restrictions/"+i4+"/group_channels/"+i7,schemaPath:"\
#/properties/policy/properties/restrictions/items/properties/group_channels/items/type",keyword:"type",params:{type:"str\
ing"},message:"must be string"};vErrors===null?vErrors=[err64]:vErrors.push(err64),errors++}}}else{let err65={instancePath:instancePath+
"/policy/restrictions/"+i4+"/group_channels",schemaPath:"#/properties/policy/properties/restrictions/items/properties/gr\
oup_channels/type",keyword:"type",params:{type:"array"},message:"must be array"};vErrors===null?vErrors=[err65]:vErrors.
push(err65),errors++}}if(data30.verbs!==void 0&&func0.call(data30,"verbs")){let data38=data30.verbs;if(Array.isArray(data38)){
let len8=data38.length;for(let i8=0;i8<len8;i8++){let data39=data38[i8];if(!(data39==="create"||data39==="update"||data39===
"remove")){let err66={instancePath:instancePath+"/policy/restrictions/"+i4+"/verbs/"+i8,schemaPath:"#/properties/policy/\
properties/restrictions/items/properties/verbs/items/enum",keyword:"enum",params:{allowedValues:schema31.properties.policy.
properties.restrictions.items.properties.verbs.items.enum},message:"must be equal to one of the allowed values"};vErrors===
null?vErrors=[err66]:vErrors.push(err66),errors++}}let i9=data38.length,j0;if(i9>1){outer0:for(;i9--;)for(j0=i9;j0--;)if(func27(
data38[i9],data38[j0])){let err67={instancePath:instancePath+"/policy/restrictions/"+i4+"/verbs",schemaPath:"#/propertie\
s/policy/properties/restrictions/items/properties/verbs/uniqueItems",keyword:"uniqueItems",params:{i:i9,j:j0},message:"m\
ust NOT have duplicate items (items ## "+j0+" and "+i9+" are identical)"};vErrors===null?vErrors=[err67]:vErrors.push(err67),
errors++;break outer0}}}else{let err68={instancePath:instancePath+"/policy/restrictions/"+i4+"/verbs",schemaPath:"#/prop\
erties/policy/properties/restrictions/items/properties/verbs/type",keyword:"type",params:{type:"array"},message:"must be\
 array"};vErrors===null?vErrors=[err68]:vErrors.push(err68),errors++}}if(data30.fields!==void 0&&func0.call(data30,"fiel\
ds")){let data40=data30.fields;if(data40&&typeof data40=="object"&&!Array.isArray(data40)){for(let key10 of Object.keys(
data40))if(!(key10==="users"||key10==="open_channels"||key10==="group_channels")){let err69={instancePath:instancePath+"\
/policy/restrictions/"+i4+"/fields",schemaPath:"#/properties/policy/properties/restrictions/items/properties/fields/addi\
tionalProperties",keyword:"additionalProperties",params:{additionalProperty:key10},message:"must NOT have additional pro\
perties"};vErrors===null?vErrors=[err69]:vErrors.push(err69),errors++}if(data40.users!==void 0&&func0.call(data40,"users")){
let data41=data40.users;if(Array.isArray(data41)){let len9=data41.length;for(let i10=0;i10<len9;i10++){let data42=data41[i10];
if(!(data42==="nickname"||data42==="profile_url"||data42==="profile_file"||data42==="metadata"||data42==="issue_access_t\
oken"||data42==="session_token"||data42==="deactivated"||data42==="lifecycle")){let err70={instancePath:instancePath+"/p\
olicy/restrictions/"+i4+"/fields/users/"+i10,schemaPath:"#/properties/policy/properties/restrictions/items/properties/fi\
elds/properties/users/items/enum",keyword:"enum",params:{allowedValues:schema31.properties.policy.properties.restrictions.
items.properties.fields.properties.users.items.enum},message:"must be equal to one of the allowed values"};vErrors===null?
vErrors=[err70]:vErrors.push(err70),errors++}}let i11=data41.length,j1;if(i11>1){outer1:for(;i11--;)for(j1=i11;j1--;)if(func27(
data41[i11],data41[j1])){let err71={instancePath:instancePath+"/policy/restrictions/"+i4+"/fields/users",schemaPath:"#/p\
roperties/policy/properties/restrictions/items/properties/fields/properties/users/uniqueItems",keyword:"uniqueItems",params:{
i:i11,j:j1},message:"must NOT have duplicate items (items ## "+j1+" and "+i11+" are identical)"};vErrors===null?vErrors=
[err71]:vErrors.push(err71),errors++;break outer1}}}else{let err72={instancePath:instancePath+"/policy/restrictions/"+i4+
"/fields/users",schemaPath:"#/properties/policy/properties/restrictions/items/properties/fields/properties/users/type",keyword:"\
type",params:{type:"array"},message:"must be array"};vErrors===null?vErrors=[err72]:vErrors.push(err72),errors++}}if(data40.
open_channels!==void 0&&func0.call(data40,"open_channels")){let data43=data40.open_channels;if(Array.isArray(data43)){let len10=data43.
length;for(let i12=0;i12<len10;i12++){let data44=data43[i12];if(!(data44==="name"||data44==="cover_url"||data44==="cover\
_file"||data44==="custom_type"||data44==="data"||data44==="is_ephemeral"||data44==="operators"||data44==="operators_mode"||
data44==="frozen"||data44==="is_dynamic_partitioned"||data44==="messages"||data44==="lifecycle")){let err73={instancePath:instancePath+
"/policy/restrictions/"+i4+"/fields/open_channels/"+i12,schemaPath:"#/properties/policy/properties/restrictions/items/pr\
operties/fields/properties/open_channels/items/enum",keyword:"enum",params:{allowedValues:schema31.properties.policy.properties.
restrictions.items.properties.fields.properties.open_channels.items.enum},message:"must be equal to one of the allowed v\
alues"};vErrors===null?vErrors=[err73]:vErrors.push(err73),errors++}}let i13=data43.length,j2;if(i13>1){outer2:for(;i13--;)
for(j2=i13;j2--;)if(func27(data43[i13],data43[j2])){let err74={instancePath:instancePath+"/policy/restrictions/"+i4+"/fi\
elds/open_channels",schemaPath:"#/properties/policy/properties/restrictions/items/properties/fields/properties/open_chan\
nels/uniqueItems",keyword:"uniqueItems",params:{i:i13,j:j2},message:"must NOT have duplicate items (items ## "+j2+" and "+
i13+" are identical)"};vErrors===null?vErrors=[err74]:vErrors.push(err74),errors++;break outer2}}}else{let err75={instancePath:instancePath+
"/policy/restrictions/"+i4+"/fields/open_channels",schemaPath:"#/properties/policy/properties/restrictions/items/propert\
ies/fields/properties/open_channels/type",keyword:"type",params:{type:"array"},message:"must be array"};vErrors===null?vErrors=
[err75]:vErrors.push(err75),errors++}}if(data40.group_channels!==void 0&&func0.call(data40,"group_channels")){let data45=data40.
group_channels;if(Array.isArray(data45)){let len11=data45.length;for(let i14=0;i14<len11;i14++){let data46=data45[i14];if(!(data46===
"name"||data46==="cover_url"||data46==="cover_file"||data46==="custom_type"||data46==="data"||data46==="is_ephemeral"||data46===
"members"||data46==="members_mode"||data46==="operators"||data46==="operators_mode"||data46==="is_distinct"||data46==="i\
s_public"||data46==="is_super"||data46==="access_code"||data46==="inviter_id"||data46==="strict"||data46==="block_sdk_us\
er_channel_join"||data46==="frozen"||data46==="messages"||data46==="lifecycle")){let err76={instancePath:instancePath+"/\
policy/restrictions/"+i4+"/fields/group_channels/"+i14,schemaPath:"#/properties/policy/properties/restrictions/items/pro\
perties/fields/properties/group_channels/items/enum",keyword:"enum",params:{allowedValues:schema31.properties.policy.properties.
restrictions.items.properties.fields.properties.group_channels.items.enum},message:"must be equal to one of the allowed \
values"};vErrors===null?vErrors=[err76]:vErrors.push(err76),errors++}}let i15=data45.length,j3;if(i15>1){outer3:for(;i15--;)
for(j3=i15;j3--;)if(func27(data45[i15],data45[j3])){let err77={instancePath:instancePath+"/policy/restrictions/"+i4+"/fi\
elds/group_channels",schemaPath:"#/properties/policy/properties/restrictions/items/properties/fields/properties/group_ch\
annels/uniqueItems",keyword:"uniqueItems",params:{i:i15,j:j3},message:"must NOT have duplicate items (items ## "+j3+" an\
d "+i15+" are identical)"};vErrors===null?vErrors=[err77]:vErrors.push(err77),errors++;break outer3}}}else{let err78={instancePath:instancePath+
"/policy/restrictions/"+i4+"/fields/group_channels",schemaPath:"#/properties/policy/properties/restrictions/items/proper\
ties/fields/properties/group_channels/type",keyword:"type",params:{type:"array"},message:"must be array"};vErrors===null?
vErrors=[err78]:vErrors.push(err78),errors++}}}else{let err79={instancePath:instancePath+"/policy/restrictions/"+i4+"/fi\
elds",schemaPath:"#/properties/policy/properties/restrictions/items/properties/fields/type",keyword:"type",params:{type:"\
object"},message:"must be object"};vErrors===null?vErrors=[err79]:vErrors.push(err79),errors++}}}else{let err80={instancePath:instancePath+
"/policy/restrictions/"+i4,schemaPath:"#/properties/policy/properties/restrictions/items/type",keyword:"type",params:{type:"\
object"},message:"must be object"};vErrors===null?vErrors=[err80]:vErrors.push(err80),errors++}}}else{let err81={instancePath:instancePath+
"/policy/restrictions",schemaPath:"#/properties/policy/properties/restrictions/type",keyword:"type",params:{type:"array"},
message:"must be array"};vErrors===null?vErrors=[err81]:vErrors.push(err81),errors++}}if(data8.personal_data!==void 0&&func0.
call(data8,"personal_data")){let data47=data8.personal_data;if(!(data47==="error"||data47==="warn")){let err82={instancePath:instancePath+
"/policy/personal_data",schemaPath:"#/properties/policy/properties/personal_data/enum",keyword:"enum",params:{allowedValues:schema31.
properties.policy.properties.personal_data.enum},message:"must be equal to one of the allowed values"};vErrors===null?vErrors=
[err82]:vErrors.push(err82),errors++}}if(data8.departed!==void 0&&func0.call(data8,"departed")){let data48=data8.departed;
if(!(data48==="leave_alone"||data48==="reinvite")){let err83={instancePath:instancePath+"/policy/departed",schemaPath:"#\
/properties/policy/properties/departed/enum",keyword:"enum",params:{allowedValues:schema31.properties.policy.properties.
departed.enum},message:"must be equal to one of the allowed values"};vErrors===null?vErrors=[err83]:vErrors.push(err83),
errors++}}if(data8.reopen!==void 0&&func0.call(data8,"reopen")){let data49=data8.reopen;if(data49&&typeof data49=="objec\
t"&&!Array.isArray(data49)){for(let key11 of Object.keys(data49))if(!(key11==="frozen"||key11==="deactivated")){let err84={
instancePath:instancePath+"/policy/reopen",schemaPath:"#/properties/policy/properties/reopen/additionalProperties",keyword:"\
additionalProperties",params:{additionalProperty:key11},message:"must NOT have additional properties"};vErrors===null?vErrors=
[err84]:vErrors.push(err84),errors++}if(data49.frozen!==void 0&&func0.call(data49,"frozen")){let data50=data49.frozen;if(!(data50===
"allow"||data50==="refuse")){let err85={instancePath:instancePath+"/policy/reopen/frozen",schemaPath:"#/properties/polic\
y/properties/reopen/properties/frozen/enum",keyword:"enum",params:{allowedValues:schema31.properties.policy.properties.reopen.
properties.frozen.enum},message:"must be equal to one of the allowed values"};vErrors===null?vErrors=[err85]:vErrors.push(
err85),errors++}}if(data49.deactivated!==void 0&&func0.call(data49,"deactivated")){let data51=data49.deactivated;if(!(data51===
"allow"||data51==="refuse")){let err86={instancePath:instancePath+"/policy/reopen/deactivated",schemaPath:"#/properties/\
policy/properties/reopen/properties/deactivated/enum",keyword:"enum",params:{allowedValues:schema31.properties.policy.properties.
reopen.properties.deactivated.enum},message:"must be equal to one of the allowed values"};vErrors===null?vErrors=[err86]:
vErrors.push(err86),errors++}}}else{let err87={instancePath:instancePath+"/policy/reopen",schemaPath:"#/properties/polic\
y/properties/reopen/type",keyword:"type",params:{type:"object"},message:"must be object"};vErrors===null?vErrors=[err87]:
vErrors.push(err87),errors++}}if(data8.leave_channels_on_deactivation!==void 0&&func0.call(data8,"leave_channels_on_deac\
tivation")&&typeof data8.leave_channels_on_deactivation!="boolean"){let err88={instancePath:instancePath+"/policy/leave_\
channels_on_deactivation",schemaPath:"#/properties/policy/properties/leave_channels_on_deactivation/type",keyword:"type",
params:{type:"boolean"},message:"must be boolean"};vErrors===null?vErrors=[err88]:vErrors.push(err88),errors++}if(data8.
trust_dedup!==void 0&&func0.call(data8,"trust_dedup")&&typeof data8.trust_dedup!="boolean"){let err89={instancePath:instancePath+
"/policy/trust_dedup",schemaPath:"#/properties/policy/properties/trust_dedup/type",keyword:"type",params:{type:"boolean"},
message:"must be boolean"};vErrors===null?vErrors=[err89]:vErrors.push(err89),errors++}}else{let err90={instancePath:instancePath+
"/policy",schemaPath:"#/properties/policy/type",keyword:"type",params:{type:"object"},message:"must be object"};vErrors===
null?vErrors=[err90]:vErrors.push(err90),errors++}}if(data.defaults!==void 0&&func0.call(data,"defaults")){let data54=data.
defaults;if(data54&&typeof data54=="object"&&!Array.isArray(data54)){for(let key12 of Object.keys(data54))if(!(key12==="\
users"||key12==="open_channels"||key12==="group_channels")){let err91={instancePath:instancePath+"/defaults",schemaPath:"\
#/properties/defaults/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key12},message:"mu\
st NOT have additional properties"};vErrors===null?vErrors=[err91]:vErrors.push(err91),errors++}if(data54.users!==void 0&&
func0.call(data54,"users")){let data55=data54.users;if(!(data55&&typeof data55=="object"&&!Array.isArray(data55))){let err92={
instancePath:instancePath+"/defaults/users",schemaPath:"#/properties/defaults/properties/users/type",keyword:"type",params:{
type:"object"},message:"must be object"};vErrors===null?vErrors=[err92]:vErrors.push(err92),errors++}}if(data54.open_channels!==
void 0&&func0.call(data54,"open_channels")){let data56=data54.open_channels;if(!(data56&&typeof data56=="object"&&!Array.
isArray(data56))){let err93={instancePath:instancePath+"/defaults/open_channels",schemaPath:"#/properties/defaults/prope\
rties/open_channels/type",keyword:"type",params:{type:"object"},message:"must be object"};vErrors===null?vErrors=[err93]:
vErrors.push(err93),errors++}}if(data54.group_channels!==void 0&&func0.call(data54,"group_channels")){let data57=data54.
group_channels;if(!(data57&&typeof data57=="object"&&!Array.isArray(data57))){let err94={instancePath:instancePath+"/def\
aults/group_channels",schemaPath:"#/properties/defaults/properties/group_channels/type",keyword:"type",params:{type:"obj\
ect"},message:"must be object"};vErrors===null?vErrors=[err94]:vErrors.push(err94),errors++}}}else{let err95={instancePath:instancePath+
"/defaults",schemaPath:"#/properties/defaults/type",keyword:"type",params:{type:"object"},message:"must be object"};vErrors===
null?vErrors=[err95]:vErrors.push(err95),errors++}}if(data.users!==void 0&&func0.call(data,"users")){let data58=data.users;
if(!(data58&&typeof data58=="object"&&!Array.isArray(data58))){let err96={instancePath:instancePath+"/users",schemaPath:"\
#/properties/users/type",keyword:"type",params:{type:"object"},message:"must be object"};vErrors===null?vErrors=[err96]:
vErrors.push(err96),errors++}}if(data.open_channels!==void 0&&func0.call(data,"open_channels")){let data59=data.open_channels;
if(!(data59&&typeof data59=="object"&&!Array.isArray(data59))){let err97={instancePath:instancePath+"/open_channels",schemaPath:"\
#/properties/open_channels/type",keyword:"type",params:{type:"object"},message:"must be object"};vErrors===null?vErrors=
[err97]:vErrors.push(err97),errors++}}if(data.group_channels!==void 0&&func0.call(data,"group_channels")){let data60=data.
group_channels;if(!(data60&&typeof data60=="object"&&!Array.isArray(data60))){let err98={instancePath:instancePath+"/gro\
up_channels",schemaPath:"#/properties/group_channels/type",keyword:"type",params:{type:"object"},message:"must be object"};
vErrors===null?vErrors=[err98]:vErrors.push(err98),errors++}}if(data.sources!==void 0&&func0.call(data,"sources")){let data61=data.
sources;if(Array.isArray(data61)){let len12=data61.length;for(let i16=0;i16<len12;i16++){let data62=data61[i16],_errs126=errors,
valid45=!0,_errs127=errors;if(data62&&typeof data62=="object"&&!Array.isArray(data62)){let missing0;if((data62.kind===void 0||
!func0.call(data62,"kind"))&&(missing0="kind")){let err99={};vErrors===null?vErrors=[err99]:vErrors.push(err99),errors++}else if(data62.
kind!==void 0&&func0.call(data62,"kind")&&data62.kind!=="messages"){let err100={};vErrors===null?vErrors=[err100]:vErrors.
push(err100),errors++}}var _valid0=_errs127===errors;errors=_errs126,vErrors!==null&&(_errs126?vErrors.length=_errs126:vErrors=
null);let ifClause0;if(_valid0){let _errs129=errors;if(data62&&typeof data62=="object"&&!Array.isArray(data62)&&data62.file!==
void 0&&func0.call(data62,"file")){let data64=data62.file;if(typeof data64=="string"&&!pattern6.test(data64)){let err101={
instancePath:instancePath+"/sources/"+i16+"/file",schemaPath:"#/properties/sources/items/allOf/0/then/properties/file/pa\
ttern",keyword:"pattern",params:{pattern:"\\{channel_url\\}[^/]*$"},message:'must match pattern "\\{channel_url\\}[^/]*$"'};
vErrors===null?vErrors=[err101]:vErrors.push(err101),errors++}}var _valid0=_errs129===errors;if(valid45=_valid0,valid45){
var props0={};props0.file=!0,props0.kind=!0}ifClause0="then"}else{let _errs131=errors;if(data62&&typeof data62=="object"&&
!Array.isArray(data62)&&data62.file!==void 0&&func0.call(data62,"file")){let data65=data62.file;if(typeof data65=="strin\
g"&&!pattern7.test(data65)){let err102={instancePath:instancePath+"/sources/"+i16+"/file",schemaPath:"#/properties/sourc\
es/items/allOf/0/else/properties/file/pattern",keyword:"pattern",params:{pattern:"\\.(ndjson|csv)(\\.gz)?$"},message:'mu\
st match pattern "\\.(ndjson|csv)(\\.gz)?$"'};vErrors===null?vErrors=[err102]:vErrors.push(err102),errors++}}var _valid0=_errs131===
errors;valid45=_valid0,valid45&&props0!==!0&&(props0=props0||{},props0.file=!0),ifClause0="else"}if(!valid45){let err103={
instancePath:instancePath+"/sources/"+i16,schemaPath:"#/properties/sources/items/allOf/0/if",keyword:"if",params:{failingKeyword:ifClause0},
message:'must match "'+ifClause0+'" schema'};vErrors===null?vErrors=[err103]:vErrors.push(err103),errors++}if(data62&&typeof data62==
"object"&&!Array.isArray(data62)){if(data62.kind===void 0||!func0.call(data62,"kind")){let err104={instancePath:instancePath+
"/sources/"+i16,schemaPath:"#/properties/sources/items/required",keyword:"required",params:{missingProperty:"kind"},message:"\
must have required property 'kind'"};vErrors===null?vErrors=[err104]:vErrors.push(err104),errors++}if(data62.file===void 0||
!func0.call(data62,"file")){let err105={instancePath:instancePath+"/sources/"+i16,schemaPath:"#/properties/sources/items\
/required",keyword:"required",params:{missingProperty:"file"},message:"must have required property 'file'"};vErrors===null?
vErrors=[err105]:vErrors.push(err105),errors++}for(let key13 of Object.keys(data62))if(!(key13==="kind"||key13==="file"||
key13==="mark_as_read")){let err106={instancePath:instancePath+"/sources/"+i16,schemaPath:"#/properties/sources/items/ad\
ditionalProperties",keyword:"additionalProperties",params:{additionalProperty:key13},message:"must NOT have additional p\
roperties"};vErrors===null?vErrors=[err106]:vErrors.push(err106),errors++}if(data62.kind!==void 0&&func0.call(data62,"ki\
nd")){let data66=data62.kind;if(!(data66==="user"||data66==="open_channel"||data66==="group_channel"||data66==="messages")){
let err107={instancePath:instancePath+"/sources/"+i16+"/kind",schemaPath:"#/properties/sources/items/properties/kind/enu\
m",keyword:"enum",params:{allowedValues:schema31.properties.sources.items.properties.kind.enum},message:"must be equal t\
o one of the allowed values"};vErrors===null?vErrors=[err107]:vErrors.push(err107),errors++}}if(data62.file!==void 0&&func0.
call(data62,"file")&&typeof data62.file!="string"){let err108={instancePath:instancePath+"/sources/"+i16+"/file",schemaPath:"\
#/properties/sources/items/properties/file/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===
null?vErrors=[err108]:vErrors.push(err108),errors++}if(data62.mark_as_read!==void 0&&func0.call(data62,"mark_as_read")&&
data62.mark_as_read!==!0){let err109={instancePath:instancePath+"/sources/"+i16+"/mark_as_read",schemaPath:"#/properties\
/sources/items/properties/mark_as_read/const",keyword:"const",params:{allowedValue:!0},message:"must be equal to constan\
t"};vErrors===null?vErrors=[err109]:vErrors.push(err109),errors++}}else{let err110={instancePath:instancePath+"/sources/"+
i16,schemaPath:"#/properties/sources/items/type",keyword:"type",params:{type:"object"},message:"must be object"};vErrors===
null?vErrors=[err110]:vErrors.push(err110),errors++}}}else{let err111={instancePath:instancePath+"/sources",schemaPath:"\
#/properties/sources/type",keyword:"type",params:{type:"array"},message:"must be array"};vErrors===null?vErrors=[err111]:
vErrors.push(err111),errors++}}if(data.removed!==void 0&&func0.call(data,"removed")){let data69=data.removed;if(Array.isArray(
data69)){let len13=data69.length;for(let i17=0;i17<len13;i17++){let data70=data69[i17];if(data70&&typeof data70=="object"&&
!Array.isArray(data70)){if(data70.address===void 0||!func0.call(data70,"address")){let err112={instancePath:instancePath+
"/removed/"+i17,schemaPath:"#/properties/removed/items/required",keyword:"required",params:{missingProperty:"address"},message:"\
must have required property 'address'"};vErrors===null?vErrors=[err112]:vErrors.push(err112),errors++}for(let key14 of Object.
keys(data70))if(!(key14==="address"||key14==="on_remove")){let err113={instancePath:instancePath+"/removed/"+i17,schemaPath:"\
#/properties/removed/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key14},message:"\
must NOT have additional properties"};vErrors===null?vErrors=[err113]:vErrors.push(err113),errors++}if(data70.address!==
void 0&&func0.call(data70,"address")&&typeof data70.address!="string"){let err114={instancePath:instancePath+"/removed/"+
i17+"/address",schemaPath:"#/properties/removed/items/properties/address/type",keyword:"type",params:{type:"string"},message:"\
must be string"};vErrors===null?vErrors=[err114]:vErrors.push(err114),errors++}if(data70.on_remove!==void 0&&func0.call(
data70,"on_remove")){let data72=data70.on_remove;if(!(data72==="deactivate"||data72==="delete"||data72==="forget"||data72===
"freeze")){let err115={instancePath:instancePath+"/removed/"+i17+"/on_remove",schemaPath:"#/properties/removed/items/pro\
perties/on_remove/enum",keyword:"enum",params:{allowedValues:schema31.properties.removed.items.properties.on_remove.enum},
message:"must be equal to one of the allowed values"};vErrors===null?vErrors=[err115]:vErrors.push(err115),errors++}}}else{
let err116={instancePath:instancePath+"/removed/"+i17,schemaPath:"#/properties/removed/items/type",keyword:"type",params:{
type:"object"},message:"must be object"};vErrors===null?vErrors=[err116]:vErrors.push(err116),errors++}}}else{let err117={
instancePath:instancePath+"/removed",schemaPath:"#/properties/removed/type",keyword:"type",params:{type:"array"},message:"\
must be array"};vErrors===null?vErrors=[err117]:vErrors.push(err117),errors++}}}else{let err118={instancePath,schemaPath:"\
#/type",keyword:"type",params:{type:"object"},message:"must be object"};vErrors===null?vErrors=[err118]:vErrors.push(err118),
errors++}return validate20.errors=vErrors,errors===0}validate20.evaluated={props:!0,dynamicProps:!1,dynamicItems:!1};var line_MESG_default=validate202,schema312={type:"object",required:["message_type","timestamp","user_id","message"],properties:{
message_type:{const:"MESG"},user_id:{type:"string",minLength:1,maxLength:80,allOf:[{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"}]},
message:{type:"string",maxLength:5e3},data:{type:"string"},timestamp:{type:"integer",minimum:1e11,maximum:9999999999999},
custom_type:{type:"string",maxLength:128},mentioned_user_ids:{type:"array",items:{type:"string",minLength:1,maxLength:80,
allOf:[{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"}]}},dedup_id:{type:"string",minLength:1},sorted_metaarray:{type:"array",items:{
type:"object",required:["key","value"],properties:{key:{type:"string"},value:{type:"array",items:{type:"string"}}},additionalProperties:!1}}},
additionalProperties:!1},func02=Object.prototype.hasOwnProperty,func67=require_ucs2length().default,pattern42=new RegExp(
"^(?!\\.{1,2}$)\\P{Cs}*$","u");function validate202(data,{instancePath="",parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){
let vErrors=null,errors=0,evaluated0=validate202.evaluated;if(evaluated0.dynamicProps&&(evaluated0.props=void 0),evaluated0.
dynamicItems&&(evaluated0.items=void 0),data&&typeof data=="object"&&!Array.isArray(data)){if(data.message_type===void 0||
!func02.call(data,"message_type")){let err0={instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty:"\
message_type"},message:"must have required property 'message_type'"};vErrors===null?vErrors=[err0]:vErrors.push(err0),errors++}
if(data.timestamp===void 0||!func02.call(data,"timestamp")){let err1={instancePath,schemaPath:"#/required",keyword:"requ\
ired",params:{missingProperty:"timestamp"},message:"must have required property 'timestamp'"};vErrors===null?vErrors=[err1]:
vErrors.push(err1),errors++}if(data.user_id===void 0||!func02.call(data,"user_id")){let err2={instancePath,schemaPath:"#\
/required",keyword:"required",params:{missingProperty:"user_id"},message:"must have required property 'user_id'"};vErrors===
null?vErrors=[err2]:vErrors.push(err2),errors++}if(data.message===void 0||!func02.call(data,"message")){let err3={instancePath,
schemaPath:"#/required",keyword:"required",params:{missingProperty:"message"},message:"must have required property 'mess\
age'"};vErrors===null?vErrors=[err3]:vErrors.push(err3),errors++}for(let key0 of Object.keys(data))if(!func02.call(schema312.
properties,key0)){let err4={instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key0},
message:"must NOT have additional properties"};vErrors===null?vErrors=[err4]:vErrors.push(err4),errors++}if(data.message_type!==
void 0&&func02.call(data,"message_type")&&data.message_type!=="MESG"){let err5={instancePath:instancePath+"/message_type",
schemaPath:"#/properties/message_type/const",keyword:"const",params:{allowedValue:"MESG"},message:"must be equal to cons\
tant"};vErrors===null?vErrors=[err5]:vErrors.push(err5),errors++}if(data.user_id!==void 0&&func02.call(data,"user_id")){
let data1=data.user_id;if(typeof data1=="string"&&!pattern42.test(data1)){let err6={instancePath:instancePath+"/user_id",
schemaPath:"#/properties/user_id/allOf/0/pattern",keyword:"pattern",params:{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"},message:'\
must match pattern "^(?!\\.{1,2}$)\\P{Cs}*$"'};vErrors===null?vErrors=[err6]:vErrors.push(err6),errors++}if(typeof data1==
"string"){if(data1.length>80&&func67(data1)>80){let err7={instancePath:instancePath+"/user_id",schemaPath:"#/properties/\
user_id/maxLength",keyword:"maxLength",params:{limit:80},message:"must NOT have more than 80 characters"};vErrors===null?
vErrors=[err7]:vErrors.push(err7),errors++}if(data1.length<1){let err8={instancePath:instancePath+"/user_id",schemaPath:"\
#/properties/user_id/minLength",keyword:"minLength",params:{limit:1},message:"must NOT have fewer than 1 characters"};vErrors===
null?vErrors=[err8]:vErrors.push(err8),errors++}}else{let err9={instancePath:instancePath+"/user_id",schemaPath:"#/prope\
rties/user_id/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err9]:vErrors.
push(err9),errors++}}if(data.message!==void 0&&func02.call(data,"message")){let data2=data.message;if(typeof data2=="str\
ing"){if(data2.length>5e3&&func67(data2)>5e3){let err10={instancePath:instancePath+"/message",schemaPath:"#/properties/m\
essage/maxLength",keyword:"maxLength",params:{limit:5e3},message:"must NOT have more than 5000 characters"};vErrors===null?
vErrors=[err10]:vErrors.push(err10),errors++}}else{let err11={instancePath:instancePath+"/message",schemaPath:"#/propert\
ies/message/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err11]:vErrors.
push(err11),errors++}}if(data.data!==void 0&&func02.call(data,"data")&&typeof data.data!="string"){let err12={instancePath:instancePath+
"/data",schemaPath:"#/properties/data/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?
vErrors=[err12]:vErrors.push(err12),errors++}if(data.timestamp!==void 0&&func02.call(data,"timestamp")){let data4=data.timestamp;
if(!(typeof data4=="number"&&!(data4%1)&&!isNaN(data4)&&isFinite(data4))){let err13={instancePath:instancePath+"/timesta\
mp",schemaPath:"#/properties/timestamp/type",keyword:"type",params:{type:"integer"},message:"must be integer"};vErrors===
null?vErrors=[err13]:vErrors.push(err13),errors++}if(typeof data4=="number"&&isFinite(data4)){if(data4>9999999999999||isNaN(
data4)){let err14={instancePath:instancePath+"/timestamp",schemaPath:"#/properties/timestamp/maximum",keyword:"maximum",
params:{comparison:"<=",limit:9999999999999},message:"must be <= 9999999999999"};vErrors===null?vErrors=[err14]:vErrors.
push(err14),errors++}if(data4<1e11||isNaN(data4)){let err15={instancePath:instancePath+"/timestamp",schemaPath:"#/proper\
ties/timestamp/minimum",keyword:"minimum",params:{comparison:">=",limit:1e11},message:"must be >= 100000000000"};vErrors===
null?vErrors=[err15]:vErrors.push(err15),errors++}}}if(data.custom_type!==void 0&&func02.call(data,"custom_type")){let data5=data.
custom_type;if(typeof data5=="string"){if(data5.length>128&&func67(data5)>128){let err16={instancePath:instancePath+"/cu\
stom_type",schemaPath:"#/properties/custom_type/maxLength",keyword:"maxLength",params:{limit:128},message:"must NOT have\
 more than 128 characters"};vErrors===null?vErrors=[err16]:vErrors.push(err16),errors++}}else{let err17={instancePath:instancePath+
"/custom_type",schemaPath:"#/properties/custom_type/type",keyword:"type",params:{type:"string"},message:"must be string"};
vErrors===null?vErrors=[err17]:vErrors.push(err17),errors++}}if(data.mentioned_user_ids!==void 0&&func02.call(data,"ment\
ioned_user_ids")){let data6=data.mentioned_user_ids;if(Array.isArray(data6)){let len0=data6.length;for(let i0=0;i0<len0;i0++){
let data7=data6[i0];if(typeof data7=="string"&&!pattern42.test(data7)){let err18={instancePath:instancePath+"/mentioned_\
user_ids/"+i0,schemaPath:"#/properties/mentioned_user_ids/items/allOf/0/pattern",keyword:"pattern",params:{pattern:"^(?!\
\\.{1,2}$)\\P{Cs}*$"},message:'must match pattern "^(?!\\.{1,2}$)\\P{Cs}*$"'};vErrors===null?vErrors=[err18]:vErrors.push(
err18),errors++}if(typeof data7=="string"){if(data7.length>80&&func67(data7)>80){let err19={instancePath:instancePath+"/\
mentioned_user_ids/"+i0,schemaPath:"#/properties/mentioned_user_ids/items/maxLength",keyword:"maxLength",params:{limit:80},
message:"must NOT have more than 80 characters"};vErrors===null?vErrors=[err19]:vErrors.push(err19),errors++}if(data7.length<
1){let err20={instancePath:instancePath+"/mentioned_user_ids/"+i0,schemaPath:"#/properties/mentioned_user_ids/items/minL\
ength",keyword:"minLength",params:{limit:1},message:"must NOT have fewer than 1 characters"};vErrors===null?vErrors=[err20]:
vErrors.push(err20),errors++}}else{let err21={instancePath:instancePath+"/mentioned_user_ids/"+i0,schemaPath:"#/properti\
es/mentioned_user_ids/items/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=
[err21]:vErrors.push(err21),errors++}}}else{let err22={instancePath:instancePath+"/mentioned_user_ids",schemaPath:"#/pro\
perties/mentioned_user_ids/type",keyword:"type",params:{type:"array"},message:"must be array"};vErrors===null?vErrors=[err22]:
vErrors.push(err22),errors++}}if(data.dedup_id!==void 0&&func02.call(data,"dedup_id")){let data8=data.dedup_id;if(typeof data8==
"string"){if(data8.length<1){let err23={instancePath:instancePath+"/dedup_id",schemaPath:"#/properties/dedup_id/minLengt\
h",keyword:"minLength",params:{limit:1},message:"must NOT have fewer than 1 characters"};vErrors===null?vErrors=[err23]:
vErrors.push(err23),errors++}}else{let err24={instancePath:instancePath+"/dedup_id",schemaPath:"#/properties/dedup_id/ty\
pe",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err24]:vErrors.push(err24),errors++}}
if(data.sorted_metaarray!==void 0&&func02.call(data,"sorted_metaarray")){let data9=data.sorted_metaarray;if(Array.isArray(
data9)){let len1=data9.length;for(let i1=0;i1<len1;i1++){let data10=data9[i1];if(data10&&typeof data10=="object"&&!Array.
isArray(data10)){if(data10.key===void 0||!func02.call(data10,"key")){let err25={instancePath:instancePath+"/sorted_metaa\
rray/"+i1,schemaPath:"#/properties/sorted_metaarray/items/required",keyword:"required",params:{missingProperty:"key"},message:"\
must have required property 'key'"};vErrors===null?vErrors=[err25]:vErrors.push(err25),errors++}if(data10.value===void 0||
!func02.call(data10,"value")){let err26={instancePath:instancePath+"/sorted_metaarray/"+i1,schemaPath:"#/properties/sort\
ed_metaarray/items/required",keyword:"required",params:{missingProperty:"value"},message:"must have required property 'v\
alue'"};vErrors===null?vErrors=[err26]:vErrors.push(err26),errors++}for(let key1 of Object.keys(data10))if(!(key1==="key"||
key1==="value")){let err27={instancePath:instancePath+"/sorted_metaarray/"+i1,schemaPath:"#/properties/sorted_metaarray/\
items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key1},message:"must NOT have addit\
ional properties"};vErrors===null?vErrors=[err27]:vErrors.push(err27),errors++}if(data10.key!==void 0&&func02.call(data10,
"key")&&typeof data10.key!="string"){let err28={instancePath:instancePath+"/sorted_metaarray/"+i1+"/key",schemaPath:"#/p\
roperties/sorted_metaarray/items/properties/key/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===
null?vErrors=[err28]:vErrors.push(err28),errors++}if(data10.value!==void 0&&func02.call(data10,"value")){let data12=data10.
value;if(Array.isArray(data12)){let len2=data12.length;for(let i2=0;i2<len2;i2++)if(typeof data12[i2]!="string"){let err29={
instancePath:instancePath+"/sorted_metaarray/"+i1+"/value/"+i2,schemaPath:"#/properties/sorted_metaarray/items/propertie\
s/value/items/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err29]:vErrors.
push(err29),errors++}}else{let err30={instancePath:instancePath+"/sorted_metaarray/"+i1+"/value",schemaPath:"#/propertie\
s/sorted_metaarray/items/properties/value/type",keyword:"type",params:{type:"array"},message:"must be array"};vErrors===
null?vErrors=[err30]:vErrors.push(err30),errors++}}}else{let err31={instancePath:instancePath+"/sorted_metaarray/"+i1,schemaPath:"\
#/properties/sorted_metaarray/items/type",keyword:"type",params:{type:"object"},message:"must be object"};vErrors===null?
vErrors=[err31]:vErrors.push(err31),errors++}}}else{let err32={instancePath:instancePath+"/sorted_metaarray",schemaPath:"\
#/properties/sorted_metaarray/type",keyword:"type",params:{type:"array"},message:"must be array"};vErrors===null?vErrors=
[err32]:vErrors.push(err32),errors++}}}else{let err33={instancePath,schemaPath:"#/type",keyword:"type",params:{type:"obj\
ect"},message:"must be object"};vErrors===null?vErrors=[err33]:vErrors.push(err33),errors++}return validate202.errors=vErrors,
errors===0}validate202.evaluated={props:!0,dynamicProps:!1,dynamicItems:!1};var line_FILE_default=validate203,schema313={type:"object",required:["message_type","timestamp","user_id","url"],properties:{
message_type:{const:"FILE"},user_id:{type:"string",minLength:1,maxLength:80,allOf:[{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"}]},
url:{type:"string",minLength:1},file_name:{type:"string"},file_size:{type:"integer",minimum:0},file_type:{type:"string"},
thumbnails:{type:"array",items:{type:["string","object"]}},require_auth:{type:"boolean"},custom_field:{type:"string"},timestamp:{
type:"integer",minimum:1e11,maximum:9999999999999},custom_type:{type:"string",maxLength:128},mentioned_user_ids:{type:"a\
rray",items:{type:"string",minLength:1,maxLength:80,allOf:[{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"}]}},dedup_id:{type:"string",
minLength:1},sorted_metaarray:{type:"array",items:{type:"object",required:["key","value"],properties:{key:{type:"string"},
value:{type:"array",items:{type:"string"}}},additionalProperties:!1}}},additionalProperties:!1},func03=Object.prototype.
hasOwnProperty,func672=require_ucs2length().default,pattern43=new RegExp("^(?!\\.{1,2}$)\\P{Cs}*$","u");function validate203(data,{
instancePath="",parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){let vErrors=null,errors=0,evaluated0=validate203.
evaluated;if(evaluated0.dynamicProps&&(evaluated0.props=void 0),evaluated0.dynamicItems&&(evaluated0.items=void 0),data&&
typeof data=="object"&&!Array.isArray(data)){if(data.message_type===void 0||!func03.call(data,"message_type")){let err0={
instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty:"message_type"},message:"must have requi\
red property 'message_type'"};vErrors===null?vErrors=[err0]:vErrors.push(err0),errors++}if(data.timestamp===void 0||!func03.
call(data,"timestamp")){let err1={instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty:"times\
tamp"},message:"must have required property 'timestamp'"};vErrors===null?vErrors=[err1]:vErrors.push(err1),errors++}if(data.
user_id===void 0||!func03.call(data,"user_id")){let err2={instancePath,schemaPath:"#/required",keyword:"required",params:{
missingProperty:"user_id"},message:"must have required property 'user_id'"};vErrors===null?vErrors=[err2]:vErrors.push(err2),
errors++}if(data.url===void 0||!func03.call(data,"url")){let err3={instancePath,schemaPath:"#/required",keyword:"require\
d",params:{missingProperty:"url"},message:"must have required property 'url'"};vErrors===null?vErrors=[err3]:vErrors.push(
err3),errors++}for(let key0 of Object.keys(data))if(!func03.call(schema313.properties,key0)){let err4={instancePath,schemaPath:"\
#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key0},message:"must NOT have additiona\
l properties"};vErrors===null?vErrors=[err4]:vErrors.push(err4),errors++}if(data.message_type!==void 0&&func03.call(data,
"message_type")&&data.message_type!=="FILE"){let err5={instancePath:instancePath+"/message_type",schemaPath:"#/propertie\
s/message_type/const",keyword:"const",params:{allowedValue:"FILE"},message:"must be equal to constant"};vErrors===null?vErrors=
[err5]:vErrors.push(err5),errors++}if(data.user_id!==void 0&&func03.call(data,"user_id")){let data1=data.user_id;if(typeof data1==
"string"&&!pattern43.test(data1)){let err6={instancePath:instancePath+"/user_id",schemaPath:"#/properties/user_id/allOf/\
0/pattern",keyword:"pattern",params:{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"},message:'must match pattern "^(?!\\.{1,2}$)\\P{Cs}\
*$"'};vErrors===null?vErrors=[err6]:vErrors.push(err6),errors++}if(typeof data1=="string"){if(data1.length>80&&func672(data1)>
80){let err7={instancePath:instancePath+"/user_id",schemaPath:"#/properties/user_id/maxLength",keyword:"maxLength",params:{
limit:80},message:"must NOT have more than 80 characters"};vErrors===null?vErrors=[err7]:vErrors.push(err7),errors++}if(data1.
length<1){let err8={instancePath:instancePath+"/user_id",schemaPath:"#/properties/user_id/minLength",keyword:"minLength",
params:{limit:1},message:"must NOT have fewer than 1 characters"};vErrors===null?vErrors=[err8]:vErrors.push(err8),errors++}}else{
let err9={instancePath:instancePath+"/user_id",schemaPath:"#/properties/user_id/type",keyword:"type",params:{type:"strin\
g"},message:"must be string"};vErrors===null?vErrors=[err9]:vErrors.push(err9),errors++}}if(data.url!==void 0&&func03.call(
data,"url")){let data2=data.url;if(typeof data2=="string"){if(data2.length<1){let err10={instancePath:instancePath+"/url",
schemaPath:"#/properties/url/minLength",keyword:"minLength",params:{limit:1},message:"must NOT have fewer than 1 charact\
ers"};vErrors===null?vErrors=[err10]:vErrors.push(err10),errors++}}else{let err11={instancePath:instancePath+"/url",schemaPath:"\
#/properties/url/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err11]:vErrors.
push(err11),errors++}}if(data.file_name!==void 0&&func03.call(data,"file_name")&&typeof data.file_name!="string"){let err12={
instancePath:instancePath+"/file_name",schemaPath:"#/properties/file_name/type",keyword:"type",params:{type:"string"},message:"\
must be string"};vErrors===null?vErrors=[err12]:vErrors.push(err12),errors++}if(data.file_size!==void 0&&func03.call(data,
"file_size")){let data4=data.file_size;if(!(typeof data4=="number"&&!(data4%1)&&!isNaN(data4)&&isFinite(data4))){let err13={
instancePath:instancePath+"/file_size",schemaPath:"#/properties/file_size/type",keyword:"type",params:{type:"integer"},message:"\
must be integer"};vErrors===null?vErrors=[err13]:vErrors.push(err13),errors++}if(typeof data4=="number"&&isFinite(data4)&&
(data4<0||isNaN(data4))){let err14={instancePath:instancePath+"/file_size",schemaPath:"#/properties/file_size/minimum",keyword:"\
minimum",params:{comparison:">=",limit:0},message:"must be >= 0"};vErrors===null?vErrors=[err14]:vErrors.push(err14),errors++}}
if(data.file_type!==void 0&&func03.call(data,"file_type")&&typeof data.file_type!="string"){let err15={instancePath:instancePath+
"/file_type",schemaPath:"#/properties/file_type/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===
null?vErrors=[err15]:vErrors.push(err15),errors++}if(data.thumbnails!==void 0&&func03.call(data,"thumbnails")){let data6=data.
thumbnails;if(Array.isArray(data6)){let len0=data6.length;for(let i0=0;i0<len0;i0++){let data7=data6[i0];if(typeof data7!=
"string"&&!(data7&&typeof data7=="object"&&!Array.isArray(data7))){let err16={instancePath:instancePath+"/thumbnails/"+i0,
schemaPath:"#/properties/thumbnails/items/type",keyword:"type",params:{type:schema313.properties.thumbnails.items.type},
message:"must be string,object"};vErrors===null?vErrors=[err16]:vErrors.push(err16),errors++}}}else{let err17={instancePath:instancePath+
"/thumbnails",schemaPath:"#/properties/thumbnails/type",keyword:"type",params:{type:"array"},message:"must be array"};vErrors===
null?vErrors=[err17]:vErrors.push(err17),errors++}}if(data.require_auth!==void 0&&func03.call(data,"require_auth")&&typeof data.
require_auth!="boolean"){let err18={instancePath:instancePath+"/require_auth",schemaPath:"#/properties/require_auth/type",
keyword:"type",params:{type:"boolean"},message:"must be boolean"};vErrors===null?vErrors=[err18]:vErrors.push(err18),errors++}
if(data.custom_field!==void 0&&func03.call(data,"custom_field")&&typeof data.custom_field!="string"){let err19={instancePath:instancePath+
"/custom_field",schemaPath:"#/properties/custom_field/type",keyword:"type",params:{type:"string"},message:"must be strin\
g"};vErrors===null?vErrors=[err19]:vErrors.push(err19),errors++}if(data.timestamp!==void 0&&func03.call(data,"timestamp")){
let data10=data.timestamp;if(!(typeof data10=="number"&&!(data10%1)&&!isNaN(data10)&&isFinite(data10))){let err20={instancePath:instancePath+
"/timestamp",schemaPath:"#/properties/timestamp/type",keyword:"type",params:{type:"integer"},message:"must be integer"};
vErrors===null?vErrors=[err20]:vErrors.push(err20),errors++}if(typeof data10=="number"&&isFinite(data10)){if(data10>9999999999999||
isNaN(data10)){let err21={instancePath:instancePath+"/timestamp",schemaPath:"#/properties/timestamp/maximum",keyword:"ma\
ximum",params:{comparison:"<=",limit:9999999999999},message:"must be <= 9999999999999"};vErrors===null?vErrors=[err21]:vErrors.
push(err21),errors++}if(data10<1e11||isNaN(data10)){let err22={instancePath:instancePath+"/timestamp",schemaPath:"#/prop\
erties/timestamp/minimum",keyword:"minimum",params:{comparison:">=",limit:1e11},message:"must be >= 100000000000"};vErrors===
null?vErrors=[err22]:vErrors.push(err22),errors++}}}if(data.custom_type!==void 0&&func03.call(data,"custom_type")){let data11=data.
custom_type;if(typeof data11=="string"){if(data11.length>128&&func672(data11)>128){let err23={instancePath:instancePath+
"/custom_type",schemaPath:"#/properties/custom_type/maxLength",keyword:"maxLength",params:{limit:128},message:"must NOT \
have more than 128 characters"};vErrors===null?vErrors=[err23]:vErrors.push(err23),errors++}}else{let err24={instancePath:instancePath+
"/custom_type",schemaPath:"#/properties/custom_type/type",keyword:"type",params:{type:"string"},message:"must be string"};
vErrors===null?vErrors=[err24]:vErrors.push(err24),errors++}}if(data.mentioned_user_ids!==void 0&&func03.call(data,"ment\
ioned_user_ids")){let data12=data.mentioned_user_ids;if(Array.isArray(data12)){let len1=data12.length;for(let i1=0;i1<len1;i1++){
let data13=data12[i1];if(typeof data13=="string"&&!pattern43.test(data13)){let err25={instancePath:instancePath+"/mentio\
ned_user_ids/"+i1,schemaPath:"#/properties/mentioned_user_ids/items/allOf/0/pattern",keyword:"pattern",params:{pattern:"\
^(?!\\.{1,2}$)\\P{Cs}*$"},message:'must match pattern "^(?!\\.{1,2}$)\\P{Cs}*$"'};vErrors===null?vErrors=[err25]:vErrors.
push(err25),errors++}if(typeof data13=="string"){if(data13.length>80&&func672(data13)>80){let err26={instancePath:instancePath+
"/mentioned_user_ids/"+i1,schemaPath:"#/properties/mentioned_user_ids/items/maxLength",keyword:"maxLength",params:{limit:80},
message:"must NOT have more than 80 characters"};vErrors===null?vErrors=[err26]:vErrors.push(err26),errors++}if(data13.length<
1){let err27={instancePath:instancePath+"/mentioned_user_ids/"+i1,schemaPath:"#/properties/mentioned_user_ids/items/minL\
ength",keyword:"minLength",params:{limit:1},message:"must NOT have fewer than 1 characters"};vErrors===null?vErrors=[err27]:
vErrors.push(err27),errors++}}else{let err28={instancePath:instancePath+"/mentioned_user_ids/"+i1,schemaPath:"#/properti\
es/mentioned_user_ids/items/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=
[err28]:vErrors.push(err28),errors++}}}else{let err29={instancePath:instancePath+"/mentioned_user_ids",schemaPath:"#/pro\
perties/mentioned_user_ids/type",keyword:"type",params:{type:"array"},message:"must be array"};vErrors===null?vErrors=[err29]:
vErrors.push(err29),errors++}}if(data.dedup_id!==void 0&&func03.call(data,"dedup_id")){let data14=data.dedup_id;if(typeof data14==
"string"){if(data14.length<1){let err30={instancePath:instancePath+"/dedup_id",schemaPath:"#/properties/dedup_id/minLeng\
th",keyword:"minLength",params:{limit:1},message:"must NOT have fewer than 1 characters"};vErrors===null?vErrors=[err30]:
vErrors.push(err30),errors++}}else{let err31={instancePath:instancePath+"/dedup_id",schemaPath:"#/properties/dedup_id/ty\
pe",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err31]:vErrors.push(err31),errors++}}
if(data.sorted_metaarray!==void 0&&func03.call(data,"sorted_metaarray")){let data15=data.sorted_metaarray;if(Array.isArray(
data15)){let len2=data15.length;for(let i2=0;i2<len2;i2++){let data16=data15[i2];if(data16&&typeof data16=="object"&&!Array.
isArray(data16)){if(data16.key===void 0||!func03.call(data16,"key")){let err32={instancePath:instancePath+"/sorted_metaa\
rray/"+i2,schemaPath:"#/properties/sorted_metaarray/items/required",keyword:"required",params:{missingProperty:"key"},message:"\
must have required property 'key'"};vErrors===null?vErrors=[err32]:vErrors.push(err32),errors++}if(data16.value===void 0||
!func03.call(data16,"value")){let err33={instancePath:instancePath+"/sorted_metaarray/"+i2,schemaPath:"#/properties/sort\
ed_metaarray/items/required",keyword:"required",params:{missingProperty:"value"},message:"must have required property 'v\
alue'"};vErrors===null?vErrors=[err33]:vErrors.push(err33),errors++}for(let key1 of Object.keys(data16))if(!(key1==="key"||
key1==="value")){let err34={instancePath:instancePath+"/sorted_metaarray/"+i2,schemaPath:"#/properties/sorted_metaarray/\
items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key1},message:"must NOT have addit\
ional properties"};vErrors===null?vErrors=[err34]:vErrors.push(err34),errors++}if(data16.key!==void 0&&func03.call(data16,
"key")&&typeof data16.key!="string"){let err35={instancePath:instancePath+"/sorted_metaarray/"+i2+"/key",schemaPath:"#/p\
roperties/sorted_metaarray/items/properties/key/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===
null?vErrors=[err35]:vErrors.push(err35),errors++}if(data16.value!==void 0&&func03.call(data16,"value")){let data18=data16.
value;if(Array.isArray(data18)){let len3=data18.length;for(let i3=0;i3<len3;i3++)if(typeof data18[i3]!="string"){let err36={
instancePath:instancePath+"/sorted_metaarray/"+i2+"/value/"+i3,schemaPath:"#/properties/sorted_metaarray/items/propertie\
s/value/items/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err36]:vErrors.
push(err36),errors++}}else{let err37={instancePath:instancePath+"/sorted_metaarray/"+i2+"/value",schemaPath:"#/propertie\
s/sorted_metaarray/items/properties/value/type",keyword:"type",params:{type:"array"},message:"must be array"};vErrors===
null?vErrors=[err37]:vErrors.push(err37),errors++}}}else{let err38={instancePath:instancePath+"/sorted_metaarray/"+i2,schemaPath:"\
#/properties/sorted_metaarray/items/type",keyword:"type",params:{type:"object"},message:"must be object"};vErrors===null?
vErrors=[err38]:vErrors.push(err38),errors++}}}else{let err39={instancePath:instancePath+"/sorted_metaarray",schemaPath:"\
#/properties/sorted_metaarray/type",keyword:"type",params:{type:"array"},message:"must be array"};vErrors===null?vErrors=
[err39]:vErrors.push(err39),errors++}}}else{let err40={instancePath,schemaPath:"#/type",keyword:"type",params:{type:"obj\
ect"},message:"must be object"};vErrors===null?vErrors=[err40]:vErrors.push(err40),errors++}return validate203.errors=vErrors,
errors===0}validate203.evaluated={props:!0,dynamicProps:!1,dynamicItems:!1};var line_ADMM_default=validate204,schema314={type:"object",required:["message_type","timestamp","message"],properties:{message_type:{
const:"ADMM"},message:{type:"string",maxLength:5e3},is_silent:{type:"boolean"},data:{type:"string"},timestamp:{type:"int\
eger",minimum:1e11,maximum:9999999999999},custom_type:{type:"string",maxLength:128},mentioned_user_ids:{type:"array",items:{
type:"string",minLength:1,maxLength:80,allOf:[{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"}]}},dedup_id:{type:"string",minLength:1},
sorted_metaarray:{type:"array",items:{type:"object",required:["key","value"],properties:{key:{type:"string"},value:{type:"\
array",items:{type:"string"}}},additionalProperties:!1}}},additionalProperties:!1},func04=Object.prototype.hasOwnProperty,
func66=require_ucs2length().default,pattern44=new RegExp("^(?!\\.{1,2}$)\\P{Cs}*$","u");function validate204(data,{instancePath="",
parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){let vErrors=null,errors=0,evaluated0=validate204.evaluated;
if(evaluated0.dynamicProps&&(evaluated0.props=void 0),evaluated0.dynamicItems&&(evaluated0.items=void 0),data&&typeof data==
"object"&&!Array.isArray(data)){if(data.message_type===void 0||!func04.call(data,"message_type")){let err0={instancePath,
schemaPath:"#/required",keyword:"required",params:{missingProperty:"message_type"},message:"must have required property \
'message_type'"};vErrors===null?vErrors=[err0]:vErrors.push(err0),errors++}if(data.timestamp===void 0||!func04.call(data,
"timestamp")){let err1={instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty:"timestamp"},message:"\
must have required property 'timestamp'"};vErrors===null?vErrors=[err1]:vErrors.push(err1),errors++}if(data.message===void 0||
!func04.call(data,"message")){let err2={instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty:"\
message"},message:"must have required property 'message'"};vErrors===null?vErrors=[err2]:vErrors.push(err2),errors++}for(let key0 of Object.
keys(data))if(!func04.call(schema314.properties,key0)){let err3={instancePath,schemaPath:"#/additionalProperties",keyword:"\
additionalProperties",params:{additionalProperty:key0},message:"must NOT have additional properties"};vErrors===null?vErrors=
[err3]:vErrors.push(err3),errors++}if(data.message_type!==void 0&&func04.call(data,"message_type")&&data.message_type!==
"ADMM"){let err4={instancePath:instancePath+"/message_type",schemaPath:"#/properties/message_type/const",keyword:"const",
params:{allowedValue:"ADMM"},message:"must be equal to constant"};vErrors===null?vErrors=[err4]:vErrors.push(err4),errors++}
if(data.message!==void 0&&func04.call(data,"message")){let data1=data.message;if(typeof data1=="string"){if(data1.length>
5e3&&func66(data1)>5e3){let err5={instancePath:instancePath+"/message",schemaPath:"#/properties/message/maxLength",keyword:"\
maxLength",params:{limit:5e3},message:"must NOT have more than 5000 characters"};vErrors===null?vErrors=[err5]:vErrors.push(
err5),errors++}}else{let err6={instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",
params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err6]:vErrors.push(err6),errors++}}if(data.is_silent!==
void 0&&func04.call(data,"is_silent")&&typeof data.is_silent!="boolean"){let err7={instancePath:instancePath+"/is_silent",
schemaPath:"#/properties/is_silent/type",keyword:"type",params:{type:"boolean"},message:"must be boolean"};vErrors===null?
vErrors=[err7]:vErrors.push(err7),errors++}if(data.data!==void 0&&func04.call(data,"data")&&typeof data.data!="string"){
let err8={instancePath:instancePath+"/data",schemaPath:"#/properties/data/type",keyword:"type",params:{type:"string"},message:"\
must be string"};vErrors===null?vErrors=[err8]:vErrors.push(err8),errors++}if(data.timestamp!==void 0&&func04.call(data,
"timestamp")){let data4=data.timestamp;if(!(typeof data4=="number"&&!(data4%1)&&!isNaN(data4)&&isFinite(data4))){let err9={
instancePath:instancePath+"/timestamp",schemaPath:"#/properties/timestamp/type",keyword:"type",params:{type:"integer"},message:"\
must be integer"};vErrors===null?vErrors=[err9]:vErrors.push(err9),errors++}if(typeof data4=="number"&&isFinite(data4)){
if(data4>9999999999999||isNaN(data4)){let err10={instancePath:instancePath+"/timestamp",schemaPath:"#/properties/timesta\
mp/maximum",keyword:"maximum",params:{comparison:"<=",limit:9999999999999},message:"must be <= 9999999999999"};vErrors===
null?vErrors=[err10]:vErrors.push(err10),errors++}if(data4<1e11||isNaN(data4)){let err11={instancePath:instancePath+"/ti\
mestamp",schemaPath:"#/properties/timestamp/minimum",keyword:"minimum",params:{comparison:">=",limit:1e11},message:"must\
 be >= 100000000000"};vErrors===null?vErrors=[err11]:vErrors.push(err11),errors++}}}if(data.custom_type!==void 0&&func04.
call(data,"custom_type")){let data5=data.custom_type;if(typeof data5=="string"){if(data5.length>128&&func66(data5)>128){
let err12={instancePath:instancePath+"/custom_type",schemaPath:"#/properties/custom_type/maxLength",keyword:"maxLength",
params:{limit:128},message:"must NOT have more than 128 characters"};vErrors===null?vErrors=[err12]:vErrors.push(err12),
errors++}}else{let err13={instancePath:instancePath+"/custom_type",schemaPath:"#/properties/custom_type/type",keyword:"t\
ype",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err13]:vErrors.push(err13),errors++}}if(data.
mentioned_user_ids!==void 0&&func04.call(data,"mentioned_user_ids")){let data6=data.mentioned_user_ids;if(Array.isArray(
data6)){let len0=data6.length;for(let i0=0;i0<len0;i0++){let data7=data6[i0];if(typeof data7=="string"&&!pattern44.test(
data7)){let err14={instancePath:instancePath+"/mentioned_user_ids/"+i0,schemaPath:"#/properties/mentioned_user_ids/items\
/allOf/0/pattern",keyword:"pattern",params:{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"},message:'must match pattern "^(?!\\.{1,2}$\
)\\P{Cs}*$"'};vErrors===null?vErrors=[err14]:vErrors.push(err14),errors++}if(typeof data7=="string"){if(data7.length>80&&
func66(data7)>80){let err15={instancePath:instancePath+"/mentioned_user_ids/"+i0,schemaPath:"#/properties/mentioned_user\
_ids/items/maxLength",keyword:"maxLength",params:{limit:80},message:"must NOT have more than 80 characters"};vErrors===null?
vErrors=[err15]:vErrors.push(err15),errors++}if(data7.length<1){let err16={instancePath:instancePath+"/mentioned_user_id\
s/"+i0,schemaPath:"#/properties/mentioned_user_ids/items/minLength",keyword:"minLength",params:{limit:1},message:"must N\
OT have fewer than 1 characters"};vErrors===null?vErrors=[err16]:vErrors.push(err16),errors++}}else{let err17={instancePath:instancePath+
"/mentioned_user_ids/"+i0,schemaPath:"#/properties/mentioned_user_ids/items/type",keyword:"type",params:{type:"string"},
message:"must be string"};vErrors===null?vErrors=[err17]:vErrors.push(err17),errors++}}}else{let err18={instancePath:instancePath+
"/mentioned_user_ids",schemaPath:"#/properties/mentioned_user_ids/type",keyword:"type",params:{type:"array"},message:"mu\
st be array"};vErrors===null?vErrors=[err18]:vErrors.push(err18),errors++}}if(data.dedup_id!==void 0&&func04.call(data,"\
dedup_id")){let data8=data.dedup_id;if(typeof data8=="string"){if(data8.length<1){let err19={instancePath:instancePath+"\
/dedup_id",schemaPath:"#/properties/dedup_id/minLength",keyword:"minLength",params:{limit:1},message:"must NOT have fewe\
r than 1 characters"};vErrors===null?vErrors=[err19]:vErrors.push(err19),errors++}}else{let err20={instancePath:instancePath+
"/dedup_id",schemaPath:"#/properties/dedup_id/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===
null?vErrors=[err20]:vErrors.push(err20),errors++}}if(data.sorted_metaarray!==void 0&&func04.call(data,"sorted_metaarray")){
let data9=data.sorted_metaarray;if(Array.isArray(data9)){let len1=data9.length;for(let i1=0;i1<len1;i1++){let data10=data9[i1];
if(data10&&typeof data10=="object"&&!Array.isArray(data10)){if(data10.key===void 0||!func04.call(data10,"key")){let err21={
instancePath:instancePath+"/sorted_metaarray/"+i1,schemaPath:"#/properties/sorted_metaarray/items/required",keyword:"req\
uired",params:{missingProperty:"key"},message:"must have required property 'key'"};vErrors===null?vErrors=[err21]:vErrors.
push(err21),errors++}if(data10.value===void 0||!func04.call(data10,"value")){let err22={instancePath:instancePath+"/sort\
ed_metaarray/"+i1,schemaPath:"#/properties/sorted_metaarray/items/required",keyword:"required",params:{missingProperty:"\
value"},message:"must have required property 'value'"};vErrors===null?vErrors=[err22]:vErrors.push(err22),errors++}for(let key1 of Object.
keys(data10))if(!(key1==="key"||key1==="value")){let err23={instancePath:instancePath+"/sorted_metaarray/"+i1,schemaPath:"\
#/properties/sorted_metaarray/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key1},
message:"must NOT have additional properties"};vErrors===null?vErrors=[err23]:vErrors.push(err23),errors++}if(data10.key!==
void 0&&func04.call(data10,"key")&&typeof data10.key!="string"){let err24={instancePath:instancePath+"/sorted_metaarray/"+
i1+"/key",schemaPath:"#/properties/sorted_metaarray/items/properties/key/type",keyword:"type",params:{type:"string"},message:"\
must be string"};vErrors===null?vErrors=[err24]:vErrors.push(err24),errors++}if(data10.value!==void 0&&func04.call(data10,
"value")){let data12=data10.value;if(Array.isArray(data12)){let len2=data12.length;for(let i2=0;i2<len2;i2++)if(typeof data12[i2]!=
"string"){let err25={instancePath:instancePath+"/sorted_metaarray/"+i1+"/value/"+i2,schemaPath:"#/properties/sorted_meta\
array/items/properties/value/items/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?
vErrors=[err25]:vErrors.push(err25),errors++}}else{let err26={instancePath:instancePath+"/sorted_metaarray/"+i1+"/value",
schemaPath:"#/properties/sorted_metaarray/items/properties/value/type",keyword:"type",params:{type:"array"},message:"mus\
t be array"};vErrors===null?vErrors=[err26]:vErrors.push(err26),errors++}}}else{let err27={instancePath:instancePath+"/s\
orted_metaarray/"+i1,schemaPath:"#/properties/sorted_metaarray/items/type",keyword:"type",params:{type:"object"},message:"\
must be object"};vErrors===null?vErrors=[err27]:vErrors.push(err27),errors++}}}else{let err28={instancePath:instancePath+
"/sorted_metaarray",schemaPath:"#/properties/sorted_metaarray/type",keyword:"type",params:{type:"array"},message:"must b\
e array"};vErrors===null?vErrors=[err28]:vErrors.push(err28),errors++}}}else{let err29={instancePath,schemaPath:"#/type",
keyword:"type",params:{type:"object"},message:"must be object"};vErrors===null?vErrors=[err29]:vErrors.push(err29),errors++}
return validate204.errors=vErrors,errors===0}validate204.evaluated={props:!0,dynamicProps:!1,dynamicItems:!1};var user_key_default=validate205;var pattern45=new RegExp("^(?!\\.{1,2}$)\\P{Cs}*$","u"),func60=require_ucs2length().default;function validate205(data,{instancePath="",
parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){let vErrors=null,errors=0,evaluated0=validate205.evaluated;
if(evaluated0.dynamicProps&&(evaluated0.props=void 0),evaluated0.dynamicItems&&(evaluated0.items=void 0),typeof data=="s\
tring"&&!pattern45.test(data)){let err0={instancePath,schemaPath:"#/allOf/0/pattern",keyword:"pattern",params:{pattern:"\
^(?!\\.{1,2}$)\\P{Cs}*$"},message:'must match pattern "^(?!\\.{1,2}$)\\P{Cs}*$"'};vErrors===null?vErrors=[err0]:vErrors.
push(err0),errors++}if(typeof data=="string"){if(data.length>80&&func60(data)>80){let err1={instancePath,schemaPath:"#/m\
axLength",keyword:"maxLength",params:{limit:80},message:"must NOT have more than 80 characters"};vErrors===null?vErrors=
[err1]:vErrors.push(err1),errors++}if(data.length<1){let err2={instancePath,schemaPath:"#/minLength",keyword:"minLength",
params:{limit:1},message:"must NOT have fewer than 1 characters"};vErrors===null?vErrors=[err2]:vErrors.push(err2),errors++}}else{
let err3={instancePath,schemaPath:"#/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?
vErrors=[err3]:vErrors.push(err3),errors++}return validate205.errors=vErrors,errors===0}validate205.evaluated={dynamicProps:!1,
dynamicItems:!1};var user_block_default=validate206,schema315={type:"object",properties:{nickname:{type:"string",maxLength:80},profile_url:{
type:"string",maxLength:2048},profile_file:{type:"string",minLength:1,"x-file":{maxBytes:5e6,types:["image/png","image/j\
peg"]}},metadata:{type:"object",maxProperties:5,propertyNames:{minLength:1,maxLength:128,pattern:"^[^,]*$",allOf:[{pattern:"\
^(?!\\.{1,2}$)\\P{Cs}*$"}]},additionalProperties:{type:"string",maxLength:190}},issue_access_token:{oneOf:[{type:"boolea\
n"},{type:"object",properties:{revision:{type:"integer",minimum:1}},required:["revision"],additionalProperties:!1}]},session_token:{
type:"object",properties:{expires_at:{type:"string",format:"date-time"}},required:["expires_at"],additionalProperties:!1},
deactivated:{type:"boolean"},issue_session_token:{deprecated:!0,type:"boolean"},session_token_expires_at:{deprecated:!0,
type:"integer",minimum:1e12,maximum:9999999999999},lifecycle:{type:"object",properties:{protect:{type:"boolean"},ignore_changes:{
type:"array",items:{enum:["nickname","profile_url","profile_file","metadata","issue_access_token","session_token","deact\
ivated"]},uniqueItems:!0},on_remove:{enum:["deactivate","delete","forget"]}},additionalProperties:!1}},required:["nickna\
me"],additionalProperties:!1,allOf:[{not:{required:["profile_url","profile_file"]}}]},func05=Object.prototype.hasOwnProperty,
func65=require_ucs2length().default,func272=require_equal().default,pattern46=new RegExp("^(?!\\.{1,2}$)\\P{Cs}*$","u"),
pattern52=new RegExp("^[^,]*$","u"),formats02=(init_formats(),__toCommonJS(formats_exports)).formats["date-time"];function validate206(data,{
instancePath="",parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){let vErrors=null,errors=0,evaluated0=validate206.
evaluated;evaluated0.dynamicProps&&(evaluated0.props=void 0),evaluated0.dynamicItems&&(evaluated0.items=void 0);let _errs2=errors,
_errs3=errors;if(data&&typeof data=="object"&&!Array.isArray(data)){let missing0;if((data.profile_url===void 0||!func05.
call(data,"profile_url"))&&(missing0="profile_url")||(data.profile_file===void 0||!func05.call(data,"profile_file"))&&(missing0=
"profile_file")){let err0={};vErrors===null?vErrors=[err0]:vErrors.push(err0),errors++}}var valid1=_errs3===errors;if(valid1){
let err1={instancePath,schemaPath:"#/allOf/0/not",keyword:"not",params:{},message:"must NOT be valid"};vErrors===null?vErrors=
[err1]:vErrors.push(err1),errors++}else errors=_errs2,vErrors!==null&&(_errs2?vErrors.length=_errs2:vErrors=null);if(data&&
typeof data=="object"&&!Array.isArray(data)){if(data.nickname===void 0||!func05.call(data,"nickname")){let err2={instancePath,
schemaPath:"#/required",keyword:"required",params:{missingProperty:"nickname"},message:"must have required property 'nic\
kname'"};vErrors===null?vErrors=[err2]:vErrors.push(err2),errors++}for(let key0 of Object.keys(data))if(!func05.call(schema315.
properties,key0)){let err3={instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key0},
message:"must NOT have additional properties"};vErrors===null?vErrors=[err3]:vErrors.push(err3),errors++}if(data.nickname!==
void 0&&func05.call(data,"nickname")){let data0=data.nickname;if(typeof data0=="string"){if(data0.length>80&&func65(data0)>
80){let err4={instancePath:instancePath+"/nickname",schemaPath:"#/properties/nickname/maxLength",keyword:"maxLength",params:{
limit:80},message:"must NOT have more than 80 characters"};vErrors===null?vErrors=[err4]:vErrors.push(err4),errors++}}else{
let err5={instancePath:instancePath+"/nickname",schemaPath:"#/properties/nickname/type",keyword:"type",params:{type:"str\
ing"},message:"must be string"};vErrors===null?vErrors=[err5]:vErrors.push(err5),errors++}}if(data.profile_url!==void 0&&
func05.call(data,"profile_url")){let data1=data.profile_url;if(typeof data1=="string"){if(data1.length>2048&&func65(data1)>
2048){let err6={instancePath:instancePath+"/profile_url",schemaPath:"#/properties/profile_url/maxLength",keyword:"maxLen\
gth",params:{limit:2048},message:"must NOT have more than 2048 characters"};vErrors===null?vErrors=[err6]:vErrors.push(err6),
errors++}}else{let err7={instancePath:instancePath+"/profile_url",schemaPath:"#/properties/profile_url/type",keyword:"ty\
pe",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err7]:vErrors.push(err7),errors++}}if(data.
profile_file!==void 0&&func05.call(data,"profile_file")){let data2=data.profile_file;if(typeof data2=="string"){if(data2.
length<1){let err8={instancePath:instancePath+"/profile_file",schemaPath:"#/properties/profile_file/minLength",keyword:"\
minLength",params:{limit:1},message:"must NOT have fewer than 1 characters"};vErrors===null?vErrors=[err8]:vErrors.push(
err8),errors++}}else{let err9={instancePath:instancePath+"/profile_file",schemaPath:"#/properties/profile_file/type",keyword:"\
type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err9]:vErrors.push(err9),errors++}}if(data.
metadata!==void 0&&func05.call(data,"metadata")){let data3=data.metadata;if(data3&&typeof data3=="object"&&!Array.isArray(
data3)){if(Object.keys(data3).length>5){let err10={instancePath:instancePath+"/metadata",schemaPath:"#/properties/metada\
ta/maxProperties",keyword:"maxProperties",params:{limit:5},message:"must NOT have more than 5 properties"};vErrors===null?
vErrors=[err10]:vErrors.push(err10),errors++}for(let key1 of Object.keys(data3)){let _errs13=errors;if(typeof key1=="str\
ing"&&!pattern46.test(key1)){let err11={instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/property\
Names/allOf/0/pattern",keyword:"pattern",params:{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"},message:'must match pattern "^(?!\\.{\
1,2}$)\\P{Cs}*$"',propertyName:key1};vErrors===null?vErrors=[err11]:vErrors.push(err11),errors++}if(typeof key1=="string"){
if(key1.length>128&&func65(key1)>128){let err12={instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata\
/propertyNames/maxLength",keyword:"maxLength",params:{limit:128},message:"must NOT have more than 128 characters",propertyName:key1};
vErrors===null?vErrors=[err12]:vErrors.push(err12),errors++}if(key1.length<1){let err13={instancePath:instancePath+"/met\
adata",schemaPath:"#/properties/metadata/propertyNames/minLength",keyword:"minLength",params:{limit:1},message:"must NOT\
 have fewer than 1 characters",propertyName:key1};vErrors===null?vErrors=[err13]:vErrors.push(err13),errors++}if(!pattern52.
test(key1)){let err14={instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/propertyNames/pattern",keyword:"\
pattern",params:{pattern:"^[^,]*$"},message:'must match pattern "^[^,]*$"',propertyName:key1};vErrors===null?vErrors=[err14]:
vErrors.push(err14),errors++}}var valid3=_errs13===errors;if(!valid3){let err15={instancePath:instancePath+"/metadata",schemaPath:"\
#/properties/metadata/propertyNames",keyword:"propertyNames",params:{propertyName:key1},message:"property name must be v\
alid"};vErrors===null?vErrors=[err15]:vErrors.push(err15),errors++}}for(let key2 of Object.keys(data3)){let data4=data3[key2];
if(typeof data4=="string"){if(data4.length>190&&func65(data4)>190){let err16={instancePath:instancePath+"/metadata/"+key2.
replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/metadata/additionalProperties/maxLength",keyword:"maxLen\
gth",params:{limit:190},message:"must NOT have more than 190 characters"};vErrors===null?vErrors=[err16]:vErrors.push(err16),
errors++}}else{let err17={instancePath:instancePath+"/metadata/"+key2.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"\
#/properties/metadata/additionalProperties/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===
null?vErrors=[err17]:vErrors.push(err17),errors++}}}else{let err18={instancePath:instancePath+"/metadata",schemaPath:"#/\
properties/metadata/type",keyword:"type",params:{type:"object"},message:"must be object"};vErrors===null?vErrors=[err18]:
vErrors.push(err18),errors++}}if(data.issue_access_token!==void 0&&func05.call(data,"issue_access_token")){let data5=data.
issue_access_token,_errs19=errors,valid6=!1,passing0=null,_errs20=errors;if(typeof data5!="boolean"){let err19={instancePath:instancePath+
"/issue_access_token",schemaPath:"#/properties/issue_access_token/oneOf/0/type",keyword:"type",params:{type:"boolean"},message:"\
must be boolean"};vErrors===null?vErrors=[err19]:vErrors.push(err19),errors++}var _valid0=_errs20===errors;_valid0&&(valid6=
!0,passing0=0);let _errs22=errors;if(data5&&typeof data5=="object"&&!Array.isArray(data5)){if(data5.revision===void 0||!func05.
call(data5,"revision")){let err20={instancePath:instancePath+"/issue_access_token",schemaPath:"#/properties/issue_access\
_token/oneOf/1/required",keyword:"required",params:{missingProperty:"revision"},message:"must have required property 're\
vision'"};vErrors===null?vErrors=[err20]:vErrors.push(err20),errors++}for(let key3 of Object.keys(data5))if(key3!=="revi\
sion"){let err21={instancePath:instancePath+"/issue_access_token",schemaPath:"#/properties/issue_access_token/oneOf/1/ad\
ditionalProperties",keyword:"additionalProperties",params:{additionalProperty:key3},message:"must NOT have additional pr\
operties"};vErrors===null?vErrors=[err21]:vErrors.push(err21),errors++}if(data5.revision!==void 0&&func05.call(data5,"re\
vision")){let data6=data5.revision;if(!(typeof data6=="number"&&!(data6%1)&&!isNaN(data6)&&isFinite(data6))){let err22={
instancePath:instancePath+"/issue_access_token/revision",schemaPath:"#/properties/issue_access_token/oneOf/1/properties/\
revision/type",keyword:"type",params:{type:"integer"},message:"must be integer"};vErrors===null?vErrors=[err22]:vErrors.
push(err22),errors++}if(typeof data6=="number"&&isFinite(data6)&&(data6<1||isNaN(data6))){let err23={instancePath:instancePath+
"/issue_access_token/revision",schemaPath:"#/properties/issue_access_token/oneOf/1/properties/revision/minimum",keyword:"\
minimum",params:{comparison:">=",limit:1},message:"must be >= 1"};vErrors===null?vErrors=[err23]:vErrors.push(err23),errors++}}}else{
let err24={instancePath:instancePath+"/issue_access_token",schemaPath:"#/properties/issue_access_token/oneOf/1/type",keyword:"\
type",params:{type:"object"},message:"must be object"};vErrors===null?vErrors=[err24]:vErrors.push(err24),errors++}var _valid0=_errs22===
errors;if(_valid0&&valid6?(valid6=!1,passing0=[passing0,1]):_valid0&&(valid6=!0,passing0=1),valid6)errors=_errs19,vErrors!==
null&&(_errs19?vErrors.length=_errs19:vErrors=null);else{let err25={instancePath:instancePath+"/issue_access_token",schemaPath:"\
#/properties/issue_access_token/oneOf",keyword:"oneOf",params:{passingSchemas:passing0},message:"must match exactly one \
schema in oneOf"};vErrors===null?vErrors=[err25]:vErrors.push(err25),errors++}}if(data.session_token!==void 0&&func05.call(
data,"session_token")){let data7=data.session_token;if(data7&&typeof data7=="object"&&!Array.isArray(data7)){if(data7.expires_at===
void 0||!func05.call(data7,"expires_at")){let err26={instancePath:instancePath+"/session_token",schemaPath:"#/properties\
/session_token/required",keyword:"required",params:{missingProperty:"expires_at"},message:"must have required property '\
expires_at'"};vErrors===null?vErrors=[err26]:vErrors.push(err26),errors++}for(let key4 of Object.keys(data7))if(key4!=="\
expires_at"){let err27={instancePath:instancePath+"/session_token",schemaPath:"#/properties/session_token/additionalProp\
erties",keyword:"additionalProperties",params:{additionalProperty:key4},message:"must NOT have additional properties"};vErrors===
null?vErrors=[err27]:vErrors.push(err27),errors++}if(data7.expires_at!==void 0&&func05.call(data7,"expires_at")){let data8=data7.
expires_at;if(typeof data8=="string"){if(!formats02(data8)){let err28={instancePath:instancePath+"/session_token/expires\
_at",schemaPath:"#/properties/session_token/properties/expires_at/format",keyword:"format",params:{format:"date-time"},message:'\
must match format "date-time"'};vErrors===null?vErrors=[err28]:vErrors.push(err28),errors++}}else{let err29={instancePath:instancePath+
"/session_token/expires_at",schemaPath:"#/properties/session_token/properties/expires_at/type",keyword:"type",params:{type:"\
string"},message:"must be string"};vErrors===null?vErrors=[err29]:vErrors.push(err29),errors++}}}else{let err30={instancePath:instancePath+
"/session_token",schemaPath:"#/properties/session_token/type",keyword:"type",params:{type:"object"},message:"must be obj\
ect"};vErrors===null?vErrors=[err30]:vErrors.push(err30),errors++}}if(data.deactivated!==void 0&&func05.call(data,"deact\
ivated")&&typeof data.deactivated!="boolean"){let err31={instancePath:instancePath+"/deactivated",schemaPath:"#/properti\
es/deactivated/type",keyword:"type",params:{type:"boolean"},message:"must be boolean"};vErrors===null?vErrors=[err31]:vErrors.
push(err31),errors++}if(data.issue_session_token!==void 0&&func05.call(data,"issue_session_token")&&typeof data.issue_session_token!=
"boolean"){let err32={instancePath:instancePath+"/issue_session_token",schemaPath:"#/properties/issue_session_token/type",
keyword:"type",params:{type:"boolean"},message:"must be boolean"};vErrors===null?vErrors=[err32]:vErrors.push(err32),errors++}
if(data.session_token_expires_at!==void 0&&func05.call(data,"session_token_expires_at")){let data11=data.session_token_expires_at;
if(!(typeof data11=="number"&&!(data11%1)&&!isNaN(data11)&&isFinite(data11))){let err33={instancePath:instancePath+"/ses\
sion_token_expires_at",schemaPath:"#/properties/session_token_expires_at/type",keyword:"type",params:{type:"integer"},message:"\
must be integer"};vErrors===null?vErrors=[err33]:vErrors.push(err33),errors++}if(typeof data11=="number"&&isFinite(data11)){
if(data11>9999999999999||isNaN(data11)){let err34={instancePath:instancePath+"/session_token_expires_at",schemaPath:"#/p\
roperties/session_token_expires_at/maximum",keyword:"maximum",params:{comparison:"<=",limit:9999999999999},message:"must\
 be <= 9999999999999"};vErrors===null?vErrors=[err34]:vErrors.push(err34),errors++}if(data11<1e12||isNaN(data11)){let err35={
instancePath:instancePath+"/session_token_expires_at",schemaPath:"#/properties/session_token_expires_at/minimum",keyword:"\
minimum",params:{comparison:">=",limit:1e12},message:"must be >= 1000000000000"};vErrors===null?vErrors=[err35]:vErrors.
push(err35),errors++}}}if(data.lifecycle!==void 0&&func05.call(data,"lifecycle")){let data12=data.lifecycle;if(data12&&typeof data12==
"object"&&!Array.isArray(data12)){for(let key5 of Object.keys(data12))if(!(key5==="protect"||key5==="ignore_changes"||key5===
"on_remove")){let err36={instancePath:instancePath+"/lifecycle",schemaPath:"#/properties/lifecycle/additionalProperties",
keyword:"additionalProperties",params:{additionalProperty:key5},message:"must NOT have additional properties"};vErrors===
null?vErrors=[err36]:vErrors.push(err36),errors++}if(data12.protect!==void 0&&func05.call(data12,"protect")&&typeof data12.
protect!="boolean"){let err37={instancePath:instancePath+"/lifecycle/protect",schemaPath:"#/properties/lifecycle/propert\
ies/protect/type",keyword:"type",params:{type:"boolean"},message:"must be boolean"};vErrors===null?vErrors=[err37]:vErrors.
push(err37),errors++}if(data12.ignore_changes!==void 0&&func05.call(data12,"ignore_changes")){let data14=data12.ignore_changes;
if(Array.isArray(data14)){let len0=data14.length;for(let i0=0;i0<len0;i0++){let data15=data14[i0];if(!(data15==="nicknam\
e"||data15==="profile_url"||data15==="profile_file"||data15==="metadata"||data15==="issue_access_token"||data15==="sessi\
on_token"||data15==="deactivated")){let err38={instancePath:instancePath+"/lifecycle/ignore_changes/"+i0,schemaPath:"#/p\
roperties/lifecycle/properties/ignore_changes/items/enum",keyword:"enum",params:{allowedValues:schema315.properties.lifecycle.
properties.ignore_changes.items.enum},message:"must be equal to one of the allowed values"};vErrors===null?vErrors=[err38]:
vErrors.push(err38),errors++}}let i1=data14.length,j0;if(i1>1){outer0:for(;i1--;)for(j0=i1;j0--;)if(func272(data14[i1],data14[j0])){
let err39={instancePath:instancePath+"/lifecycle/ignore_changes",schemaPath:"#/properties/lifecycle/properties/ignore_ch\
anges/uniqueItems",keyword:"uniqueItems",params:{i:i1,j:j0},message:"must NOT have duplicate items (items ## "+j0+" and "+
i1+" are identical)"};vErrors===null?vErrors=[err39]:vErrors.push(err39),errors++;break outer0}}}else{let err40={instancePath:instancePath+
"/lifecycle/ignore_changes",schemaPath:"#/properties/lifecycle/properties/ignore_changes/type",keyword:"type",params:{type:"\
array"},message:"must be array"};vErrors===null?vErrors=[err40]:vErrors.push(err40),errors++}}if(data12.on_remove!==void 0&&
func05.call(data12,"on_remove")){let data16=data12.on_remove;if(!(data16==="deactivate"||data16==="delete"||data16==="fo\
rget")){let err41={instancePath:instancePath+"/lifecycle/on_remove",schemaPath:"#/properties/lifecycle/properties/on_rem\
ove/enum",keyword:"enum",params:{allowedValues:schema315.properties.lifecycle.properties.on_remove.enum},message:"must b\
e equal to one of the allowed values"};vErrors===null?vErrors=[err41]:vErrors.push(err41),errors++}}}else{let err42={instancePath:instancePath+
"/lifecycle",schemaPath:"#/properties/lifecycle/type",keyword:"type",params:{type:"object"},message:"must be object"};vErrors===
null?vErrors=[err42]:vErrors.push(err42),errors++}}}else{let err43={instancePath,schemaPath:"#/type",keyword:"type",params:{
type:"object"},message:"must be object"};vErrors===null?vErrors=[err43]:vErrors.push(err43),errors++}return validate206.
errors=vErrors,errors===0}validate206.evaluated={props:!0,dynamicProps:!1,dynamicItems:!1};var user_defaults_default=validate207,schema316={type:"object",properties:{nickname:{type:"string",maxLength:80},profile_url:{
type:"string",maxLength:2048},profile_file:{type:"string",minLength:1,"x-file":{maxBytes:5e6,types:["image/png","image/j\
peg"]}},metadata:{type:"object",maxProperties:5,propertyNames:{minLength:1,maxLength:128,pattern:"^[^,]*$",allOf:[{pattern:"\
^(?!\\.{1,2}$)\\P{Cs}*$"}]},additionalProperties:{type:"string",maxLength:190}},issue_access_token:{oneOf:[{type:"boolea\
n"},{type:"object",properties:{revision:{type:"integer",minimum:1}},required:["revision"],additionalProperties:!1}]},session_token:{
type:"object",properties:{expires_at:{type:"string",format:"date-time"}},required:["expires_at"],additionalProperties:!1},
deactivated:{type:"boolean"},issue_session_token:{deprecated:!0,type:"boolean"},session_token_expires_at:{deprecated:!0,
type:"integer",minimum:1e12,maximum:9999999999999},lifecycle:{type:"object",properties:{protect:{type:"boolean"},ignore_changes:{
type:"array",items:{enum:["nickname","profile_url","profile_file","metadata","issue_access_token","session_token","deact\
ivated"]},uniqueItems:!0},on_remove:{enum:["deactivate","delete","forget"]}},additionalProperties:!1}},additionalProperties:!1},
func06=Object.prototype.hasOwnProperty,func62=require_ucs2length().default,func273=require_equal().default,pattern47=new RegExp(
"^(?!\\.{1,2}$)\\P{Cs}*$","u"),pattern53=new RegExp("^[^,]*$","u"),formats03=(init_formats(),__toCommonJS(formats_exports)).
formats["date-time"];function validate207(data,{instancePath="",parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){
let vErrors=null,errors=0,evaluated0=validate207.evaluated;if(evaluated0.dynamicProps&&(evaluated0.props=void 0),evaluated0.
dynamicItems&&(evaluated0.items=void 0),data&&typeof data=="object"&&!Array.isArray(data)){for(let key0 of Object.keys(data))
if(!func06.call(schema316.properties,key0)){let err0={instancePath,schemaPath:"#/additionalProperties",keyword:"addition\
alProperties",params:{additionalProperty:key0},message:"must NOT have additional properties"};vErrors===null?vErrors=[err0]:
vErrors.push(err0),errors++}if(data.nickname!==void 0&&func06.call(data,"nickname")){let data0=data.nickname;if(typeof data0==
"string"){if(data0.length>80&&func62(data0)>80){let err1={instancePath:instancePath+"/nickname",schemaPath:"#/properties\
/nickname/maxLength",keyword:"maxLength",params:{limit:80},message:"must NOT have more than 80 characters"};vErrors===null?
vErrors=[err1]:vErrors.push(err1),errors++}}else{let err2={instancePath:instancePath+"/nickname",schemaPath:"#/propertie\
s/nickname/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err2]:vErrors.push(
err2),errors++}}if(data.profile_url!==void 0&&func06.call(data,"profile_url")){let data1=data.profile_url;if(typeof data1==
"string"){if(data1.length>2048&&func62(data1)>2048){let err3={instancePath:instancePath+"/profile_url",schemaPath:"#/pro\
perties/profile_url/maxLength",keyword:"maxLength",params:{limit:2048},message:"must NOT have more than 2048 characters"};
vErrors===null?vErrors=[err3]:vErrors.push(err3),errors++}}else{let err4={instancePath:instancePath+"/profile_url",schemaPath:"\
#/properties/profile_url/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err4]:
vErrors.push(err4),errors++}}if(data.profile_file!==void 0&&func06.call(data,"profile_file")){let data2=data.profile_file;
if(typeof data2=="string"){if(data2.length<1){let err5={instancePath:instancePath+"/profile_file",schemaPath:"#/properti\
es/profile_file/minLength",keyword:"minLength",params:{limit:1},message:"must NOT have fewer than 1 characters"};vErrors===
null?vErrors=[err5]:vErrors.push(err5),errors++}}else{let err6={instancePath:instancePath+"/profile_file",schemaPath:"#/\
properties/profile_file/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err6]:
vErrors.push(err6),errors++}}if(data.metadata!==void 0&&func06.call(data,"metadata")){let data3=data.metadata;if(data3&&
typeof data3=="object"&&!Array.isArray(data3)){if(Object.keys(data3).length>5){let err7={instancePath:instancePath+"/met\
adata",schemaPath:"#/properties/metadata/maxProperties",keyword:"maxProperties",params:{limit:5},message:"must NOT have \
more than 5 properties"};vErrors===null?vErrors=[err7]:vErrors.push(err7),errors++}for(let key1 of Object.keys(data3)){let _errs10=errors;
if(typeof key1=="string"&&!pattern47.test(key1)){let err8={instancePath:instancePath+"/metadata",schemaPath:"#/propertie\
s/metadata/propertyNames/allOf/0/pattern",keyword:"pattern",params:{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"},message:'must mat\
ch pattern "^(?!\\.{1,2}$)\\P{Cs}*$"',propertyName:key1};vErrors===null?vErrors=[err8]:vErrors.push(err8),errors++}if(typeof key1==
"string"){if(key1.length>128&&func62(key1)>128){let err9={instancePath:instancePath+"/metadata",schemaPath:"#/properties\
/metadata/propertyNames/maxLength",keyword:"maxLength",params:{limit:128},message:"must NOT have more than 128 character\
s",propertyName:key1};vErrors===null?vErrors=[err9]:vErrors.push(err9),errors++}if(key1.length<1){let err10={instancePath:instancePath+
"/metadata",schemaPath:"#/properties/metadata/propertyNames/minLength",keyword:"minLength",params:{limit:1},message:"mus\
t NOT have fewer than 1 characters",propertyName:key1};vErrors===null?vErrors=[err10]:vErrors.push(err10),errors++}if(!pattern53.
test(key1)){let err11={instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/propertyNames/pattern",keyword:"\
pattern",params:{pattern:"^[^,]*$"},message:'must match pattern "^[^,]*$"',propertyName:key1};vErrors===null?vErrors=[err11]:
vErrors.push(err11),errors++}}var valid1=_errs10===errors;if(!valid1){let err12={instancePath:instancePath+"/metadata",schemaPath:"\
#/properties/metadata/propertyNames",keyword:"propertyNames",params:{propertyName:key1},message:"property name must be v\
alid"};vErrors===null?vErrors=[err12]:vErrors.push(err12),errors++}}for(let key2 of Object.keys(data3)){let data4=data3[key2];
if(typeof data4=="string"){if(data4.length>190&&func62(data4)>190){let err13={instancePath:instancePath+"/metadata/"+key2.
replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/metadata/additionalProperties/maxLength",keyword:"maxLen\
gth",params:{limit:190},message:"must NOT have more than 190 characters"};vErrors===null?vErrors=[err13]:vErrors.push(err13),
errors++}}else{let err14={instancePath:instancePath+"/metadata/"+key2.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"\
#/properties/metadata/additionalProperties/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===
null?vErrors=[err14]:vErrors.push(err14),errors++}}}else{let err15={instancePath:instancePath+"/metadata",schemaPath:"#/\
properties/metadata/type",keyword:"type",params:{type:"object"},message:"must be object"};vErrors===null?vErrors=[err15]:
vErrors.push(err15),errors++}}if(data.issue_access_token!==void 0&&func06.call(data,"issue_access_token")){let data5=data.
issue_access_token,_errs16=errors,valid4=!1,passing0=null,_errs17=errors;if(typeof data5!="boolean"){let err16={instancePath:instancePath+
"/issue_access_token",schemaPath:"#/properties/issue_access_token/oneOf/0/type",keyword:"type",params:{type:"boolean"},message:"\
must be boolean"};vErrors===null?vErrors=[err16]:vErrors.push(err16),errors++}var _valid0=_errs17===errors;_valid0&&(valid4=
!0,passing0=0);let _errs19=errors;if(data5&&typeof data5=="object"&&!Array.isArray(data5)){if(data5.revision===void 0||!func06.
call(data5,"revision")){let err17={instancePath:instancePath+"/issue_access_token",schemaPath:"#/properties/issue_access\
_token/oneOf/1/required",keyword:"required",params:{missingProperty:"revision"},message:"must have required property 're\
vision'"};vErrors===null?vErrors=[err17]:vErrors.push(err17),errors++}for(let key3 of Object.keys(data5))if(key3!=="revi\
sion"){let err18={instancePath:instancePath+"/issue_access_token",schemaPath:"#/properties/issue_access_token/oneOf/1/ad\
ditionalProperties",keyword:"additionalProperties",params:{additionalProperty:key3},message:"must NOT have additional pr\
operties"};vErrors===null?vErrors=[err18]:vErrors.push(err18),errors++}if(data5.revision!==void 0&&func06.call(data5,"re\
vision")){let data6=data5.revision;if(!(typeof data6=="number"&&!(data6%1)&&!isNaN(data6)&&isFinite(data6))){let err19={
instancePath:instancePath+"/issue_access_token/revision",schemaPath:"#/properties/issue_access_token/oneOf/1/properties/\
revision/type",keyword:"type",params:{type:"integer"},message:"must be integer"};vErrors===null?vErrors=[err19]:vErrors.
push(err19),errors++}if(typeof data6=="number"&&isFinite(data6)&&(data6<1||isNaN(data6))){let err20={instancePath:instancePath+
"/issue_access_token/revision",schemaPath:"#/properties/issue_access_token/oneOf/1/properties/revision/minimum",keyword:"\
minimum",params:{comparison:">=",limit:1},message:"must be >= 1"};vErrors===null?vErrors=[err20]:vErrors.push(err20),errors++}}}else{
let err21={instancePath:instancePath+"/issue_access_token",schemaPath:"#/properties/issue_access_token/oneOf/1/type",keyword:"\
type",params:{type:"object"},message:"must be object"};vErrors===null?vErrors=[err21]:vErrors.push(err21),errors++}var _valid0=_errs19===
errors;if(_valid0&&valid4?(valid4=!1,passing0=[passing0,1]):_valid0&&(valid4=!0,passing0=1),valid4)errors=_errs16,vErrors!==
null&&(_errs16?vErrors.length=_errs16:vErrors=null);else{let err22={instancePath:instancePath+"/issue_access_token",schemaPath:"\
#/properties/issue_access_token/oneOf",keyword:"oneOf",params:{passingSchemas:passing0},message:"must match exactly one \
schema in oneOf"};vErrors===null?vErrors=[err22]:vErrors.push(err22),errors++}}if(data.session_token!==void 0&&func06.call(
data,"session_token")){let data7=data.session_token;if(data7&&typeof data7=="object"&&!Array.isArray(data7)){if(data7.expires_at===
void 0||!func06.call(data7,"expires_at")){let err23={instancePath:instancePath+"/session_token",schemaPath:"#/properties\
/session_token/required",keyword:"required",params:{missingProperty:"expires_at"},message:"must have required property '\
expires_at'"};vErrors===null?vErrors=[err23]:vErrors.push(err23),errors++}for(let key4 of Object.keys(data7))if(key4!=="\
expires_at"){let err24={instancePath:instancePath+"/session_token",schemaPath:"#/properties/session_token/additionalProp\
erties",keyword:"additionalProperties",params:{additionalProperty:key4},message:"must NOT have additional properties"};vErrors===
null?vErrors=[err24]:vErrors.push(err24),errors++}if(data7.expires_at!==void 0&&func06.call(data7,"expires_at")){let data8=data7.
expires_at;if(typeof data8=="string"){if(!formats03(data8)){let err25={instancePath:instancePath+"/session_token/expires\
_at",schemaPath:"#/properties/session_token/properties/expires_at/format",keyword:"format",params:{format:"date-time"},message:'\
must match format "date-time"'};vErrors===null?vErrors=[err25]:vErrors.push(err25),errors++}}else{let err26={instancePath:instancePath+
"/session_token/expires_at",schemaPath:"#/properties/session_token/properties/expires_at/type",keyword:"type",params:{type:"\
string"},message:"must be string"};vErrors===null?vErrors=[err26]:vErrors.push(err26),errors++}}}else{let err27={instancePath:instancePath+
"/session_token",schemaPath:"#/properties/session_token/type",keyword:"type",params:{type:"object"},message:"must be obj\
ect"};vErrors===null?vErrors=[err27]:vErrors.push(err27),errors++}}if(data.deactivated!==void 0&&func06.call(data,"deact\
ivated")&&typeof data.deactivated!="boolean"){let err28={instancePath:instancePath+"/deactivated",schemaPath:"#/properti\
es/deactivated/type",keyword:"type",params:{type:"boolean"},message:"must be boolean"};vErrors===null?vErrors=[err28]:vErrors.
push(err28),errors++}if(data.issue_session_token!==void 0&&func06.call(data,"issue_session_token")&&typeof data.issue_session_token!=
"boolean"){let err29={instancePath:instancePath+"/issue_session_token",schemaPath:"#/properties/issue_session_token/type",
keyword:"type",params:{type:"boolean"},message:"must be boolean"};vErrors===null?vErrors=[err29]:vErrors.push(err29),errors++}
if(data.session_token_expires_at!==void 0&&func06.call(data,"session_token_expires_at")){let data11=data.session_token_expires_at;
if(!(typeof data11=="number"&&!(data11%1)&&!isNaN(data11)&&isFinite(data11))){let err30={instancePath:instancePath+"/ses\
sion_token_expires_at",schemaPath:"#/properties/session_token_expires_at/type",keyword:"type",params:{type:"integer"},message:"\
must be integer"};vErrors===null?vErrors=[err30]:vErrors.push(err30),errors++}if(typeof data11=="number"&&isFinite(data11)){
if(data11>9999999999999||isNaN(data11)){let err31={instancePath:instancePath+"/session_token_expires_at",schemaPath:"#/p\
roperties/session_token_expires_at/maximum",keyword:"maximum",params:{comparison:"<=",limit:9999999999999},message:"must\
 be <= 9999999999999"};vErrors===null?vErrors=[err31]:vErrors.push(err31),errors++}if(data11<1e12||isNaN(data11)){let err32={
instancePath:instancePath+"/session_token_expires_at",schemaPath:"#/properties/session_token_expires_at/minimum",keyword:"\
minimum",params:{comparison:">=",limit:1e12},message:"must be >= 1000000000000"};vErrors===null?vErrors=[err32]:vErrors.
push(err32),errors++}}}if(data.lifecycle!==void 0&&func06.call(data,"lifecycle")){let data12=data.lifecycle;if(data12&&typeof data12==
"object"&&!Array.isArray(data12)){for(let key5 of Object.keys(data12))if(!(key5==="protect"||key5==="ignore_changes"||key5===
"on_remove")){let err33={instancePath:instancePath+"/lifecycle",schemaPath:"#/properties/lifecycle/additionalProperties",
keyword:"additionalProperties",params:{additionalProperty:key5},message:"must NOT have additional properties"};vErrors===
null?vErrors=[err33]:vErrors.push(err33),errors++}if(data12.protect!==void 0&&func06.call(data12,"protect")&&typeof data12.
protect!="boolean"){let err34={instancePath:instancePath+"/lifecycle/protect",schemaPath:"#/properties/lifecycle/propert\
ies/protect/type",keyword:"type",params:{type:"boolean"},message:"must be boolean"};vErrors===null?vErrors=[err34]:vErrors.
push(err34),errors++}if(data12.ignore_changes!==void 0&&func06.call(data12,"ignore_changes")){let data14=data12.ignore_changes;
if(Array.isArray(data14)){let len0=data14.length;for(let i0=0;i0<len0;i0++){let data15=data14[i0];if(!(data15==="nicknam\
e"||data15==="profile_url"||data15==="profile_file"||data15==="metadata"||data15==="issue_access_token"||data15==="sessi\
on_token"||data15==="deactivated")){let err35={instancePath:instancePath+"/lifecycle/ignore_changes/"+i0,schemaPath:"#/p\
roperties/lifecycle/properties/ignore_changes/items/enum",keyword:"enum",params:{allowedValues:schema316.properties.lifecycle.
properties.ignore_changes.items.enum},message:"must be equal to one of the allowed values"};vErrors===null?vErrors=[err35]:
vErrors.push(err35),errors++}}let i1=data14.length,j0;if(i1>1){outer0:for(;i1--;)for(j0=i1;j0--;)if(func273(data14[i1],data14[j0])){
let err36={instancePath:instancePath+"/lifecycle/ignore_changes",schemaPath:"#/properties/lifecycle/properties/ignore_ch\
anges/uniqueItems",keyword:"uniqueItems",params:{i:i1,j:j0},message:"must NOT have duplicate items (items ## "+j0+" and "+
i1+" are identical)"};vErrors===null?vErrors=[err36]:vErrors.push(err36),errors++;break outer0}}}else{let err37={instancePath:instancePath+
"/lifecycle/ignore_changes",schemaPath:"#/properties/lifecycle/properties/ignore_changes/type",keyword:"type",params:{type:"\
array"},message:"must be array"};vErrors===null?vErrors=[err37]:vErrors.push(err37),errors++}}if(data12.on_remove!==void 0&&
func06.call(data12,"on_remove")){let data16=data12.on_remove;if(!(data16==="deactivate"||data16==="delete"||data16==="fo\
rget")){let err38={instancePath:instancePath+"/lifecycle/on_remove",schemaPath:"#/properties/lifecycle/properties/on_rem\
ove/enum",keyword:"enum",params:{allowedValues:schema316.properties.lifecycle.properties.on_remove.enum},message:"must b\
e equal to one of the allowed values"};vErrors===null?vErrors=[err38]:vErrors.push(err38),errors++}}}else{let err39={instancePath:instancePath+
"/lifecycle",schemaPath:"#/properties/lifecycle/type",keyword:"type",params:{type:"object"},message:"must be object"};vErrors===
null?vErrors=[err39]:vErrors.push(err39),errors++}}}else{let err40={instancePath,schemaPath:"#/type",keyword:"type",params:{
type:"object"},message:"must be object"};vErrors===null?vErrors=[err40]:vErrors.push(err40),errors++}return validate207.
errors=vErrors,errors===0}validate207.evaluated={props:!0,dynamicProps:!1,dynamicItems:!1};var open_channel_key_default=validate208;var func602=require_ucs2length().default,pattern48=new RegExp("^[0-9A-Za-z_-]*$","u");function validate208(data,{instancePath="",
parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){let vErrors=null,errors=0,evaluated0=validate208.evaluated;
if(evaluated0.dynamicProps&&(evaluated0.props=void 0),evaluated0.dynamicItems&&(evaluated0.items=void 0),typeof data=="s\
tring"){if(data.length>100&&func602(data)>100){let err0={instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{
limit:100},message:"must NOT have more than 100 characters"};vErrors===null?vErrors=[err0]:vErrors.push(err0),errors++}if(func602(
data)<4){let err1={instancePath,schemaPath:"#/minLength",keyword:"minLength",params:{limit:4},message:"must NOT have few\
er than 4 characters"};vErrors===null?vErrors=[err1]:vErrors.push(err1),errors++}if(!pattern48.test(data)){let err2={instancePath,
schemaPath:"#/pattern",keyword:"pattern",params:{pattern:"^[0-9A-Za-z_-]*$"},message:'must match pattern "^[0-9A-Za-z_-]\
*$"'};vErrors===null?vErrors=[err2]:vErrors.push(err2),errors++}}else{let err3={instancePath,schemaPath:"#/type",keyword:"\
type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err3]:vErrors.push(err3),errors++}return validate208.
errors=vErrors,errors===0}validate208.evaluated={dynamicProps:!1,dynamicItems:!1};var open_channel_block_default=validate209,schema317={type:"object",properties:{name:{type:"string",maxLength:191},cover_url:{
type:"string",maxLength:2048},cover_file:{type:"string",minLength:1,"x-file":{maxBytes:5e6,types:["image/png","image/jpe\
g"]}},custom_type:{type:"string",maxLength:128},data:{type:"string"},is_ephemeral:{type:"boolean"},operators:{type:"arra\
y",items:{type:"string",minLength:1,maxLength:80,allOf:[{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"},{pattern:"^[^,]*$"}]},uniqueItems:!0,
maxItems:100},operators_mode:{enum:["additive","exclusive"]},frozen:{type:"boolean"},is_dynamic_partitioned:{type:"boole\
an"},operator_ids:{deprecated:!0,type:"array",items:{type:"string",minLength:1,maxLength:80,allOf:[{pattern:"^(?!\\.{1,2}\
$)\\P{Cs}*$"},{pattern:"^[^,]*$"}]},uniqueItems:!0,maxItems:100},messages:{type:"object",required:["file"],properties:{file:{
type:"string",minLength:1},mark_as_read:{anyOf:[{const:!0},{type:"array",items:{type:"string",minLength:1,maxLength:80,allOf:[
{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"}]},uniqueItems:!0}]}},additionalProperties:!1},lifecycle:{type:"object",properties:{protect:{
type:"boolean"},ignore_changes:{type:"array",items:{enum:["name","cover_url","cover_file","custom_type","data","is_ephem\
eral","operators","operators_mode","frozen","is_dynamic_partitioned"]},uniqueItems:!0},on_remove:{enum:["freeze","delete",
"forget"]}},additionalProperties:!1}},additionalProperties:!1,allOf:[{not:{required:["cover_url","cover_file"]}}]},func07=Object.
prototype.hasOwnProperty,func64=require_ucs2length().default,func274=require_equal().default,pattern49=new RegExp("^(?!\\\
.{1,2}$)\\P{Cs}*$","u"),pattern54=new RegExp("^[^,]*$","u");function validate209(data,{instancePath="",parentData,parentDataProperty,
rootData=data,dynamicAnchors={}}={}){let vErrors=null,errors=0,evaluated0=validate209.evaluated;evaluated0.dynamicProps&&
(evaluated0.props=void 0),evaluated0.dynamicItems&&(evaluated0.items=void 0);let _errs2=errors,_errs3=errors;if(data&&typeof data==
"object"&&!Array.isArray(data)){let missing0;if((data.cover_url===void 0||!func07.call(data,"cover_url"))&&(missing0="co\
ver_url")||(data.cover_file===void 0||!func07.call(data,"cover_file"))&&(missing0="cover_file")){let err0={};vErrors===null?
vErrors=[err0]:vErrors.push(err0),errors++}}var valid1=_errs3===errors;if(valid1){let err1={instancePath,schemaPath:"#/a\
llOf/0/not",keyword:"not",params:{},message:"must NOT be valid"};vErrors===null?vErrors=[err1]:vErrors.push(err1),errors++}else
errors=_errs2,vErrors!==null&&(_errs2?vErrors.length=_errs2:vErrors=null);if(data&&typeof data=="object"&&!Array.isArray(
data)){for(let key0 of Object.keys(data))if(!func07.call(schema317.properties,key0)){let err2={instancePath,schemaPath:"\
#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key0},message:"must NOT have additiona\
l properties"};vErrors===null?vErrors=[err2]:vErrors.push(err2),errors++}if(data.name!==void 0&&func07.call(data,"name")){
let data0=data.name;if(typeof data0=="string"){if(data0.length>191&&func64(data0)>191){let err3={instancePath:instancePath+
"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit:191},message:"must NOT have more than\
 191 characters"};vErrors===null?vErrors=[err3]:vErrors.push(err3),errors++}}else{let err4={instancePath:instancePath+"/\
name",schemaPath:"#/properties/name/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?
vErrors=[err4]:vErrors.push(err4),errors++}}if(data.cover_url!==void 0&&func07.call(data,"cover_url")){let data1=data.cover_url;
if(typeof data1=="string"){if(data1.length>2048&&func64(data1)>2048){let err5={instancePath:instancePath+"/cover_url",schemaPath:"\
#/properties/cover_url/maxLength",keyword:"maxLength",params:{limit:2048},message:"must NOT have more than 2048 characte\
rs"};vErrors===null?vErrors=[err5]:vErrors.push(err5),errors++}}else{let err6={instancePath:instancePath+"/cover_url",schemaPath:"\
#/properties/cover_url/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err6]:
vErrors.push(err6),errors++}}if(data.cover_file!==void 0&&func07.call(data,"cover_file")){let data2=data.cover_file;if(typeof data2==
"string"){if(data2.length<1){let err7={instancePath:instancePath+"/cover_file",schemaPath:"#/properties/cover_file/minLe\
ngth",keyword:"minLength",params:{limit:1},message:"must NOT have fewer than 1 characters"};vErrors===null?vErrors=[err7]:
vErrors.push(err7),errors++}}else{let err8={instancePath:instancePath+"/cover_file",schemaPath:"#/properties/cover_file/\
type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err8]:vErrors.push(err8),errors++}}
if(data.custom_type!==void 0&&func07.call(data,"custom_type")){let data3=data.custom_type;if(typeof data3=="string"){if(data3.
length>128&&func64(data3)>128){let err9={instancePath:instancePath+"/custom_type",schemaPath:"#/properties/custom_type/m\
axLength",keyword:"maxLength",params:{limit:128},message:"must NOT have more than 128 characters"};vErrors===null?vErrors=
[err9]:vErrors.push(err9),errors++}}else{let err10={instancePath:instancePath+"/custom_type",schemaPath:"#/properties/cu\
stom_type/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err10]:vErrors.push(
err10),errors++}}if(data.data!==void 0&&func07.call(data,"data")&&typeof data.data!="string"){let err11={instancePath:instancePath+
"/data",schemaPath:"#/properties/data/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?
vErrors=[err11]:vErrors.push(err11),errors++}if(data.is_ephemeral!==void 0&&func07.call(data,"is_ephemeral")&&typeof data.
is_ephemeral!="boolean"){let err12={instancePath:instancePath+"/is_ephemeral",schemaPath:"#/properties/is_ephemeral/type",
keyword:"type",params:{type:"boolean"},message:"must be boolean"};vErrors===null?vErrors=[err12]:vErrors.push(err12),errors++}
if(data.operators!==void 0&&func07.call(data,"operators")){let data6=data.operators;if(Array.isArray(data6)){if(data6.length>
100){let err13={instancePath:instancePath+"/operators",schemaPath:"#/properties/operators/maxItems",keyword:"maxItems",params:{
limit:100},message:"must NOT have more than 100 items"};vErrors===null?vErrors=[err13]:vErrors.push(err13),errors++}let len0=data6.
length;for(let i0=0;i0<len0;i0++){let data7=data6[i0];if(typeof data7=="string"&&!pattern49.test(data7)){let err14={instancePath:instancePath+
"/operators/"+i0,schemaPath:"#/properties/operators/items/allOf/0/pattern",keyword:"pattern",params:{pattern:"^(?!\\.{1,2\
}$)\\P{Cs}*$"},message:'must match pattern "^(?!\\.{1,2}$)\\P{Cs}*$"'};vErrors===null?vErrors=[err14]:vErrors.push(err14),
errors++}if(typeof data7=="string"&&!pattern54.test(data7)){let err15={instancePath:instancePath+"/operators/"+i0,schemaPath:"\
#/properties/operators/items/allOf/1/pattern",keyword:"pattern",params:{pattern:"^[^,]*$"},message:'must match pattern "\
^[^,]*$"'};vErrors===null?vErrors=[err15]:vErrors.push(err15),errors++}if(typeof data7=="string"){if(data7.length>80&&func64(
data7)>80){let err16={instancePath:instancePath+"/operators/"+i0,schemaPath:"#/properties/operators/items/maxLength",keyword:"\
maxLength",params:{limit:80},message:"must NOT have more than 80 characters"};vErrors===null?vErrors=[err16]:vErrors.push(
err16),errors++}if(data7.length<1){let err17={instancePath:instancePath+"/operators/"+i0,schemaPath:"#/properties/operat\
ors/items/minLength",keyword:"minLength",params:{limit:1},message:"must NOT have fewer than 1 characters"};vErrors===null?
vErrors=[err17]:vErrors.push(err17),errors++}}else{let err18={instancePath:instancePath+"/operators/"+i0,schemaPath:"#/p\
roperties/operators/items/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[
err18]:vErrors.push(err18),errors++}}let i1=data6.length,j0;if(i1>1){let indices0={};for(;i1--;){let item0=data6[i1];if(typeof item0==
"string"){if(typeof indices0[item0]=="number"){j0=indices0[item0];let err19={instancePath:instancePath+"/operators",schemaPath:"\
#/properties/operators/uniqueItems",keyword:"uniqueItems",params:{i:i1,j:j0},message:"must NOT have duplicate items (ite\
ms ## "+j0+" and "+i1+" are identical)"};vErrors===null?vErrors=[err19]:vErrors.push(err19),errors++;break}indices0[item0]=
i1}}}}else{let err20={instancePath:instancePath+"/operators",schemaPath:"#/properties/operators/type",keyword:"type",params:{
type:"array"},message:"must be array"};vErrors===null?vErrors=[err20]:vErrors.push(err20),errors++}}if(data.operators_mode!==
void 0&&func07.call(data,"operators_mode")){let data8=data.operators_mode;if(!(data8==="additive"||data8==="exclusive")){
let err21={instancePath:instancePath+"/operators_mode",schemaPath:"#/properties/operators_mode/enum",keyword:"enum",params:{
allowedValues:schema317.properties.operators_mode.enum},message:"must be equal to one of the allowed values"};vErrors===
null?vErrors=[err21]:vErrors.push(err21),errors++}}if(data.frozen!==void 0&&func07.call(data,"frozen")&&typeof data.frozen!=
"boolean"){let err22={instancePath:instancePath+"/frozen",schemaPath:"#/properties/frozen/type",keyword:"type",params:{type:"\
boolean"},message:"must be boolean"};vErrors===null?vErrors=[err22]:vErrors.push(err22),errors++}if(data.is_dynamic_partitioned!==
void 0&&func07.call(data,"is_dynamic_partitioned")&&typeof data.is_dynamic_partitioned!="boolean"){let err23={instancePath:instancePath+
"/is_dynamic_partitioned",schemaPath:"#/properties/is_dynamic_partitioned/type",keyword:"type",params:{type:"boolean"},message:"\
must be boolean"};vErrors===null?vErrors=[err23]:vErrors.push(err23),errors++}if(data.operator_ids!==void 0&&func07.call(
data,"operator_ids")){let data11=data.operator_ids;if(Array.isArray(data11)){if(data11.length>100){let err24={instancePath:instancePath+
"/operator_ids",schemaPath:"#/properties/operator_ids/maxItems",keyword:"maxItems",params:{limit:100},message:"must NOT \
have more than 100 items"};vErrors===null?vErrors=[err24]:vErrors.push(err24),errors++}let len1=data11.length;for(let i2=0;i2<
len1;i2++){let data12=data11[i2];if(typeof data12=="string"&&!pattern49.test(data12)){let err25={instancePath:instancePath+
"/operator_ids/"+i2,schemaPath:"#/properties/operator_ids/items/allOf/0/pattern",keyword:"pattern",params:{pattern:"^(?!\
\\.{1,2}$)\\P{Cs}*$"},message:'must match pattern "^(?!\\.{1,2}$)\\P{Cs}*$"'};vErrors===null?vErrors=[err25]:vErrors.push(
err25),errors++}if(typeof data12=="string"&&!pattern54.test(data12)){let err26={instancePath:instancePath+"/operator_ids\
/"+i2,schemaPath:"#/properties/operator_ids/items/allOf/1/pattern",keyword:"pattern",params:{pattern:"^[^,]*$"},message:'\
must match pattern "^[^,]*$"'};vErrors===null?vErrors=[err26]:vErrors.push(err26),errors++}if(typeof data12=="string"){if(data12.
length>80&&func64(data12)>80){let err27={instancePath:instancePath+"/operator_ids/"+i2,schemaPath:"#/properties/operator\
_ids/items/maxLength",keyword:"maxLength",params:{limit:80},message:"must NOT have more than 80 characters"};vErrors===null?
vErrors=[err27]:vErrors.push(err27),errors++}if(data12.length<1){let err28={instancePath:instancePath+"/operator_ids/"+i2,
schemaPath:"#/properties/operator_ids/items/minLength",keyword:"minLength",params:{limit:1},message:"must NOT have fewer\
 than 1 characters"};vErrors===null?vErrors=[err28]:vErrors.push(err28),errors++}}else{let err29={instancePath:instancePath+
"/operator_ids/"+i2,schemaPath:"#/properties/operator_ids/items/type",keyword:"type",params:{type:"string"},message:"mus\
t be string"};vErrors===null?vErrors=[err29]:vErrors.push(err29),errors++}}let i3=data11.length,j1;if(i3>1){let indices1={};
for(;i3--;){let item1=data11[i3];if(typeof item1=="string"){if(typeof indices1[item1]=="number"){j1=indices1[item1];let err30={
instancePath:instancePath+"/operator_ids",schemaPath:"#/properties/operator_ids/uniqueItems",keyword:"uniqueItems",params:{
i:i3,j:j1},message:"must NOT have duplicate items (items ## "+j1+" and "+i3+" are identical)"};vErrors===null?vErrors=[err30]:
vErrors.push(err30),errors++;break}indices1[item1]=i3}}}}else{let err31={instancePath:instancePath+"/operator_ids",schemaPath:"\
#/properties/operator_ids/type",keyword:"type",params:{type:"array"},message:"must be array"};vErrors===null?vErrors=[err31]:
vErrors.push(err31),errors++}}if(data.messages!==void 0&&func07.call(data,"messages")){let data13=data.messages;if(data13&&
typeof data13=="object"&&!Array.isArray(data13)){if(data13.file===void 0||!func07.call(data13,"file")){let err32={instancePath:instancePath+
"/messages",schemaPath:"#/properties/messages/required",keyword:"required",params:{missingProperty:"file"},message:"must\
 have required property 'file'"};vErrors===null?vErrors=[err32]:vErrors.push(err32),errors++}for(let key1 of Object.keys(
data13))if(!(key1==="file"||key1==="mark_as_read")){let err33={instancePath:instancePath+"/messages",schemaPath:"#/prope\
rties/messages/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key1},message:"must NOT h\
ave additional properties"};vErrors===null?vErrors=[err33]:vErrors.push(err33),errors++}if(data13.file!==void 0&&func07.
call(data13,"file")){let data14=data13.file;if(typeof data14=="string"){if(data14.length<1){let err34={instancePath:instancePath+
"/messages/file",schemaPath:"#/properties/messages/properties/file/minLength",keyword:"minLength",params:{limit:1},message:"\
must NOT have fewer than 1 characters"};vErrors===null?vErrors=[err34]:vErrors.push(err34),errors++}}else{let err35={instancePath:instancePath+
"/messages/file",schemaPath:"#/properties/messages/properties/file/type",keyword:"type",params:{type:"string"},message:"\
must be string"};vErrors===null?vErrors=[err35]:vErrors.push(err35),errors++}}if(data13.mark_as_read!==void 0&&func07.call(
data13,"mark_as_read")){let data15=data13.mark_as_read,_errs40=errors,valid12=!1,_errs41=errors;if(data15!==!0){let err36={
instancePath:instancePath+"/messages/mark_as_read",schemaPath:"#/properties/messages/properties/mark_as_read/anyOf/0/con\
st",keyword:"const",params:{allowedValue:!0},message:"must be equal to constant"};vErrors===null?vErrors=[err36]:vErrors.
push(err36),errors++}var _valid0=_errs41===errors;valid12=valid12||_valid0;let _errs42=errors;if(Array.isArray(data15)){
let len2=data15.length;for(let i4=0;i4<len2;i4++){let data16=data15[i4];if(typeof data16=="string"&&!pattern49.test(data16)){
let err37={instancePath:instancePath+"/messages/mark_as_read/"+i4,schemaPath:"#/properties/messages/properties/mark_as_r\
ead/anyOf/1/items/allOf/0/pattern",keyword:"pattern",params:{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"},message:'must match patt\
ern "^(?!\\.{1,2}$)\\P{Cs}*$"'};vErrors===null?vErrors=[err37]:vErrors.push(err37),errors++}if(typeof data16=="string"){
if(data16.length>80&&func64(data16)>80){let err38={instancePath:instancePath+"/messages/mark_as_read/"+i4,schemaPath:"#/\
properties/messages/properties/mark_as_read/anyOf/1/items/maxLength",keyword:"maxLength",params:{limit:80},message:"must\
 NOT have more than 80 characters"};vErrors===null?vErrors=[err38]:vErrors.push(err38),errors++}if(data16.length<1){let err39={
instancePath:instancePath+"/messages/mark_as_read/"+i4,schemaPath:"#/properties/messages/properties/mark_as_read/anyOf/1\
/items/minLength",keyword:"minLength",params:{limit:1},message:"must NOT have fewer than 1 characters"};vErrors===null?vErrors=
[err39]:vErrors.push(err39),errors++}}else{let err40={instancePath:instancePath+"/messages/mark_as_read/"+i4,schemaPath:"\
#/properties/messages/properties/mark_as_read/anyOf/1/items/type",keyword:"type",params:{type:"string"},message:"must be\
 string"};vErrors===null?vErrors=[err40]:vErrors.push(err40),errors++}}let i5=data15.length,j2;if(i5>1){let indices2={};
for(;i5--;){let item2=data15[i5];if(typeof item2=="string"){if(typeof indices2[item2]=="number"){j2=indices2[item2];let err41={
instancePath:instancePath+"/messages/mark_as_read",schemaPath:"#/properties/messages/properties/mark_as_read/anyOf/1/uni\
queItems",keyword:"uniqueItems",params:{i:i5,j:j2},message:"must NOT have duplicate items (items ## "+j2+" and "+i5+" ar\
e identical)"};vErrors===null?vErrors=[err41]:vErrors.push(err41),errors++;break}indices2[item2]=i5}}}}else{let err42={instancePath:instancePath+
"/messages/mark_as_read",schemaPath:"#/properties/messages/properties/mark_as_read/anyOf/1/type",keyword:"type",params:{
type:"array"},message:"must be array"};vErrors===null?vErrors=[err42]:vErrors.push(err42),errors++}var _valid0=_errs42===
errors;if(valid12=valid12||_valid0,valid12)errors=_errs40,vErrors!==null&&(_errs40?vErrors.length=_errs40:vErrors=null);else{
let err43={instancePath:instancePath+"/messages/mark_as_read",schemaPath:"#/properties/messages/properties/mark_as_read/\
anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};vErrors===null?vErrors=[err43]:vErrors.push(err43),
errors++}}}else{let err44={instancePath:instancePath+"/messages",schemaPath:"#/properties/messages/type",keyword:"type",
params:{type:"object"},message:"must be object"};vErrors===null?vErrors=[err44]:vErrors.push(err44),errors++}}if(data.lifecycle!==
void 0&&func07.call(data,"lifecycle")){let data17=data.lifecycle;if(data17&&typeof data17=="object"&&!Array.isArray(data17)){
for(let key2 of Object.keys(data17))if(!(key2==="protect"||key2==="ignore_changes"||key2==="on_remove")){let err45={instancePath:instancePath+
"/lifecycle",schemaPath:"#/properties/lifecycle/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key2},
message:"must NOT have additional properties"};vErrors===null?vErrors=[err45]:vErrors.push(err45),errors++}if(data17.protect!==
void 0&&func07.call(data17,"protect")&&typeof data17.protect!="boolean"){let err46={instancePath:instancePath+"/lifecycl\
e/protect",schemaPath:"#/properties/lifecycle/properties/protect/type",keyword:"type",params:{type:"boolean"},message:"m\
ust be boolean"};vErrors===null?vErrors=[err46]:vErrors.push(err46),errors++}if(data17.ignore_changes!==void 0&&func07.call(
data17,"ignore_changes")){let data19=data17.ignore_changes;if(Array.isArray(data19)){let len3=data19.length;for(let i6=0;i6<
len3;i6++){let data20=data19[i6];if(!(data20==="name"||data20==="cover_url"||data20==="cover_file"||data20==="custom_typ\
e"||data20==="data"||data20==="is_ephemeral"||data20==="operators"||data20==="operators_mode"||data20==="frozen"||data20===
"is_dynamic_partitioned")){let err47={instancePath:instancePath+"/lifecycle/ignore_changes/"+i6,schemaPath:"#/properties\
/lifecycle/properties/ignore_changes/items/enum",keyword:"enum",params:{allowedValues:schema317.properties.lifecycle.properties.
ignore_changes.items.enum},message:"must be equal to one of the allowed values"};vErrors===null?vErrors=[err47]:vErrors.
push(err47),errors++}}let i7=data19.length,j3;if(i7>1){outer0:for(;i7--;)for(j3=i7;j3--;)if(func274(data19[i7],data19[j3])){
let err48={instancePath:instancePath+"/lifecycle/ignore_changes",schemaPath:"#/properties/lifecycle/properties/ignore_ch\
anges/uniqueItems",keyword:"uniqueItems",params:{i:i7,j:j3},message:"must NOT have duplicate items (items ## "+j3+" and "+
i7+" are identical)"};vErrors===null?vErrors=[err48]:vErrors.push(err48),errors++;break outer0}}}else{let err49={instancePath:instancePath+
"/lifecycle/ignore_changes",schemaPath:"#/properties/lifecycle/properties/ignore_changes/type",keyword:"type",params:{type:"\
array"},message:"must be array"};vErrors===null?vErrors=[err49]:vErrors.push(err49),errors++}}if(data17.on_remove!==void 0&&
func07.call(data17,"on_remove")){let data21=data17.on_remove;if(!(data21==="freeze"||data21==="delete"||data21==="forget")){
let err50={instancePath:instancePath+"/lifecycle/on_remove",schemaPath:"#/properties/lifecycle/properties/on_remove/enum",
keyword:"enum",params:{allowedValues:schema317.properties.lifecycle.properties.on_remove.enum},message:"must be equal to\
 one of the allowed values"};vErrors===null?vErrors=[err50]:vErrors.push(err50),errors++}}}else{let err51={instancePath:instancePath+
"/lifecycle",schemaPath:"#/properties/lifecycle/type",keyword:"type",params:{type:"object"},message:"must be object"};vErrors===
null?vErrors=[err51]:vErrors.push(err51),errors++}}}else{let err52={instancePath,schemaPath:"#/type",keyword:"type",params:{
type:"object"},message:"must be object"};vErrors===null?vErrors=[err52]:vErrors.push(err52),errors++}return validate209.
errors=vErrors,errors===0}validate209.evaluated={props:!0,dynamicProps:!1,dynamicItems:!1};var open_channel_defaults_default=validate2010,schema318={type:"object",properties:{name:{type:"string",maxLength:191},cover_url:{
type:"string",maxLength:2048},cover_file:{type:"string",minLength:1,"x-file":{maxBytes:5e6,types:["image/png","image/jpe\
g"]}},custom_type:{type:"string",maxLength:128},data:{type:"string"},is_ephemeral:{type:"boolean"},operators:{type:"arra\
y",items:{type:"string",minLength:1,maxLength:80,allOf:[{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"},{pattern:"^[^,]*$"}]},uniqueItems:!0,
maxItems:100},operators_mode:{enum:["additive","exclusive"]},frozen:{type:"boolean"},is_dynamic_partitioned:{type:"boole\
an"},operator_ids:{deprecated:!0,type:"array",items:{type:"string",minLength:1,maxLength:80,allOf:[{pattern:"^(?!\\.{1,2}\
$)\\P{Cs}*$"},{pattern:"^[^,]*$"}]},uniqueItems:!0,maxItems:100},messages:{type:"object",required:["file"],properties:{file:{
type:"string",minLength:1},mark_as_read:{anyOf:[{const:!0},{type:"array",items:{type:"string",minLength:1,maxLength:80,allOf:[
{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"}]},uniqueItems:!0}]}},additionalProperties:!1},lifecycle:{type:"object",properties:{protect:{
type:"boolean"},ignore_changes:{type:"array",items:{enum:["name","cover_url","cover_file","custom_type","data","is_ephem\
eral","operators","operators_mode","frozen","is_dynamic_partitioned"]},uniqueItems:!0},on_remove:{enum:["freeze","delete",
"forget"]}},additionalProperties:!1}},additionalProperties:!1},func08=Object.prototype.hasOwnProperty,func622=require_ucs2length().
default,func275=require_equal().default,pattern410=new RegExp("^(?!\\.{1,2}$)\\P{Cs}*$","u"),pattern55=new RegExp("^[^,]\
*$","u");function validate2010(data,{instancePath="",parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){
let vErrors=null,errors=0,evaluated0=validate2010.evaluated;if(evaluated0.dynamicProps&&(evaluated0.props=void 0),evaluated0.
dynamicItems&&(evaluated0.items=void 0),data&&typeof data=="object"&&!Array.isArray(data)){for(let key0 of Object.keys(data))
if(!func08.call(schema318.properties,key0)){let err0={instancePath,schemaPath:"#/additionalProperties",keyword:"addition\
alProperties",params:{additionalProperty:key0},message:"must NOT have additional properties"};vErrors===null?vErrors=[err0]:
vErrors.push(err0),errors++}if(data.name!==void 0&&func08.call(data,"name")){let data0=data.name;if(typeof data0=="strin\
g"){if(data0.length>191&&func622(data0)>191){let err1={instancePath:instancePath+"/name",schemaPath:"#/properties/name/m\
axLength",keyword:"maxLength",params:{limit:191},message:"must NOT have more than 191 characters"};vErrors===null?vErrors=
[err1]:vErrors.push(err1),errors++}}else{let err2={instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",
keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err2]:vErrors.push(err2),errors++}}
if(data.cover_url!==void 0&&func08.call(data,"cover_url")){let data1=data.cover_url;if(typeof data1=="string"){if(data1.
length>2048&&func622(data1)>2048){let err3={instancePath:instancePath+"/cover_url",schemaPath:"#/properties/cover_url/ma\
xLength",keyword:"maxLength",params:{limit:2048},message:"must NOT have more than 2048 characters"};vErrors===null?vErrors=
[err3]:vErrors.push(err3),errors++}}else{let err4={instancePath:instancePath+"/cover_url",schemaPath:"#/properties/cover\
_url/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err4]:vErrors.push(err4),
errors++}}if(data.cover_file!==void 0&&func08.call(data,"cover_file")){let data2=data.cover_file;if(typeof data2=="strin\
g"){if(data2.length<1){let err5={instancePath:instancePath+"/cover_file",schemaPath:"#/properties/cover_file/minLength",
keyword:"minLength",params:{limit:1},message:"must NOT have fewer than 1 characters"};vErrors===null?vErrors=[err5]:vErrors.
push(err5),errors++}}else{let err6={instancePath:instancePath+"/cover_file",schemaPath:"#/properties/cover_file/type",keyword:"\
type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err6]:vErrors.push(err6),errors++}}if(data.
custom_type!==void 0&&func08.call(data,"custom_type")){let data3=data.custom_type;if(typeof data3=="string"){if(data3.length>
128&&func622(data3)>128){let err7={instancePath:instancePath+"/custom_type",schemaPath:"#/properties/custom_type/maxLeng\
th",keyword:"maxLength",params:{limit:128},message:"must NOT have more than 128 characters"};vErrors===null?vErrors=[err7]:
vErrors.push(err7),errors++}}else{let err8={instancePath:instancePath+"/custom_type",schemaPath:"#/properties/custom_typ\
e/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err8]:vErrors.push(err8),
errors++}}if(data.data!==void 0&&func08.call(data,"data")&&typeof data.data!="string"){let err9={instancePath:instancePath+
"/data",schemaPath:"#/properties/data/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?
vErrors=[err9]:vErrors.push(err9),errors++}if(data.is_ephemeral!==void 0&&func08.call(data,"is_ephemeral")&&typeof data.
is_ephemeral!="boolean"){let err10={instancePath:instancePath+"/is_ephemeral",schemaPath:"#/properties/is_ephemeral/type",
keyword:"type",params:{type:"boolean"},message:"must be boolean"};vErrors===null?vErrors=[err10]:vErrors.push(err10),errors++}
if(data.operators!==void 0&&func08.call(data,"operators")){let data6=data.operators;if(Array.isArray(data6)){if(data6.length>
100){let err11={instancePath:instancePath+"/operators",schemaPath:"#/properties/operators/maxItems",keyword:"maxItems",params:{
limit:100},message:"must NOT have more than 100 items"};vErrors===null?vErrors=[err11]:vErrors.push(err11),errors++}let len0=data6.
length;for(let i0=0;i0<len0;i0++){let data7=data6[i0];if(typeof data7=="string"&&!pattern410.test(data7)){let err12={instancePath:instancePath+
"/operators/"+i0,schemaPath:"#/properties/operators/items/allOf/0/pattern",keyword:"pattern",params:{pattern:"^(?!\\.{1,2\
}$)\\P{Cs}*$"},message:'must match pattern "^(?!\\.{1,2}$)\\P{Cs}*$"'};vErrors===null?vErrors=[err12]:vErrors.push(err12),
errors++}if(typeof data7=="string"&&!pattern55.test(data7)){let err13={instancePath:instancePath+"/operators/"+i0,schemaPath:"\
#/properties/operators/items/allOf/1/pattern",keyword:"pattern",params:{pattern:"^[^,]*$"},message:'must match pattern "\
^[^,]*$"'};vErrors===null?vErrors=[err13]:vErrors.push(err13),errors++}if(typeof data7=="string"){if(data7.length>80&&func622(
data7)>80){let err14={instancePath:instancePath+"/operators/"+i0,schemaPath:"#/properties/operators/items/maxLength",keyword:"\
maxLength",params:{limit:80},message:"must NOT have more than 80 characters"};vErrors===null?vErrors=[err14]:vErrors.push(
err14),errors++}if(data7.length<1){let err15={instancePath:instancePath+"/operators/"+i0,schemaPath:"#/properties/operat\
ors/items/minLength",keyword:"minLength",params:{limit:1},message:"must NOT have fewer than 1 characters"};vErrors===null?
vErrors=[err15]:vErrors.push(err15),errors++}}else{let err16={instancePath:instancePath+"/operators/"+i0,schemaPath:"#/p\
roperties/operators/items/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[
err16]:vErrors.push(err16),errors++}}let i1=data6.length,j0;if(i1>1){let indices0={};for(;i1--;){let item0=data6[i1];if(typeof item0==
"string"){if(typeof indices0[item0]=="number"){j0=indices0[item0];let err17={instancePath:instancePath+"/operators",schemaPath:"\
#/properties/operators/uniqueItems",keyword:"uniqueItems",params:{i:i1,j:j0},message:"must NOT have duplicate items (ite\
ms ## "+j0+" and "+i1+" are identical)"};vErrors===null?vErrors=[err17]:vErrors.push(err17),errors++;break}indices0[item0]=
i1}}}}else{let err18={instancePath:instancePath+"/operators",schemaPath:"#/properties/operators/type",keyword:"type",params:{
type:"array"},message:"must be array"};vErrors===null?vErrors=[err18]:vErrors.push(err18),errors++}}if(data.operators_mode!==
void 0&&func08.call(data,"operators_mode")){let data8=data.operators_mode;if(!(data8==="additive"||data8==="exclusive")){
let err19={instancePath:instancePath+"/operators_mode",schemaPath:"#/properties/operators_mode/enum",keyword:"enum",params:{
allowedValues:schema318.properties.operators_mode.enum},message:"must be equal to one of the allowed values"};vErrors===
null?vErrors=[err19]:vErrors.push(err19),errors++}}if(data.frozen!==void 0&&func08.call(data,"frozen")&&typeof data.frozen!=
"boolean"){let err20={instancePath:instancePath+"/frozen",schemaPath:"#/properties/frozen/type",keyword:"type",params:{type:"\
boolean"},message:"must be boolean"};vErrors===null?vErrors=[err20]:vErrors.push(err20),errors++}if(data.is_dynamic_partitioned!==
void 0&&func08.call(data,"is_dynamic_partitioned")&&typeof data.is_dynamic_partitioned!="boolean"){let err21={instancePath:instancePath+
"/is_dynamic_partitioned",schemaPath:"#/properties/is_dynamic_partitioned/type",keyword:"type",params:{type:"boolean"},message:"\
must be boolean"};vErrors===null?vErrors=[err21]:vErrors.push(err21),errors++}if(data.operator_ids!==void 0&&func08.call(
data,"operator_ids")){let data11=data.operator_ids;if(Array.isArray(data11)){if(data11.length>100){let err22={instancePath:instancePath+
"/operator_ids",schemaPath:"#/properties/operator_ids/maxItems",keyword:"maxItems",params:{limit:100},message:"must NOT \
have more than 100 items"};vErrors===null?vErrors=[err22]:vErrors.push(err22),errors++}let len1=data11.length;for(let i2=0;i2<
len1;i2++){let data12=data11[i2];if(typeof data12=="string"&&!pattern410.test(data12)){let err23={instancePath:instancePath+
"/operator_ids/"+i2,schemaPath:"#/properties/operator_ids/items/allOf/0/pattern",keyword:"pattern",params:{pattern:"^(?!\
\\.{1,2}$)\\P{Cs}*$"},message:'must match pattern "^(?!\\.{1,2}$)\\P{Cs}*$"'};vErrors===null?vErrors=[err23]:vErrors.push(
err23),errors++}if(typeof data12=="string"&&!pattern55.test(data12)){let err24={instancePath:instancePath+"/operator_ids\
/"+i2,schemaPath:"#/properties/operator_ids/items/allOf/1/pattern",keyword:"pattern",params:{pattern:"^[^,]*$"},message:'\
must match pattern "^[^,]*$"'};vErrors===null?vErrors=[err24]:vErrors.push(err24),errors++}if(typeof data12=="string"){if(data12.
length>80&&func622(data12)>80){let err25={instancePath:instancePath+"/operator_ids/"+i2,schemaPath:"#/properties/operato\
r_ids/items/maxLength",keyword:"maxLength",params:{limit:80},message:"must NOT have more than 80 characters"};vErrors===
null?vErrors=[err25]:vErrors.push(err25),errors++}if(data12.length<1){let err26={instancePath:instancePath+"/operator_id\
s/"+i2,schemaPath:"#/properties/operator_ids/items/minLength",keyword:"minLength",params:{limit:1},message:"must NOT hav\
e fewer than 1 characters"};vErrors===null?vErrors=[err26]:vErrors.push(err26),errors++}}else{let err27={instancePath:instancePath+
"/operator_ids/"+i2,schemaPath:"#/properties/operator_ids/items/type",keyword:"type",params:{type:"string"},message:"mus\
t be string"};vErrors===null?vErrors=[err27]:vErrors.push(err27),errors++}}let i3=data11.length,j1;if(i3>1){let indices1={};
for(;i3--;){let item1=data11[i3];if(typeof item1=="string"){if(typeof indices1[item1]=="number"){j1=indices1[item1];let err28={
instancePath:instancePath+"/operator_ids",schemaPath:"#/properties/operator_ids/uniqueItems",keyword:"uniqueItems",params:{
i:i3,j:j1},message:"must NOT have duplicate items (items ## "+j1+" and "+i3+" are identical)"};vErrors===null?vErrors=[err28]:
vErrors.push(err28),errors++;break}indices1[item1]=i3}}}}else{let err29={instancePath:instancePath+"/operator_ids",schemaPath:"\
#/properties/operator_ids/type",keyword:"type",params:{type:"array"},message:"must be array"};vErrors===null?vErrors=[err29]:
vErrors.push(err29),errors++}}if(data.messages!==void 0&&func08.call(data,"messages")){let data13=data.messages;if(data13&&
typeof data13=="object"&&!Array.isArray(data13)){if(data13.file===void 0||!func08.call(data13,"file")){let err30={instancePath:instancePath+
"/messages",schemaPath:"#/properties/messages/required",keyword:"required",params:{missingProperty:"file"},message:"must\
 have required property 'file'"};vErrors===null?vErrors=[err30]:vErrors.push(err30),errors++}for(let key1 of Object.keys(
data13))if(!(key1==="file"||key1==="mark_as_read")){let err31={instancePath:instancePath+"/messages",schemaPath:"#/prope\
rties/messages/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key1},message:"must NOT h\
ave additional properties"};vErrors===null?vErrors=[err31]:vErrors.push(err31),errors++}if(data13.file!==void 0&&func08.
call(data13,"file")){let data14=data13.file;if(typeof data14=="string"){if(data14.length<1){let err32={instancePath:instancePath+
"/messages/file",schemaPath:"#/properties/messages/properties/file/minLength",keyword:"minLength",params:{limit:1},message:"\
must NOT have fewer than 1 characters"};vErrors===null?vErrors=[err32]:vErrors.push(err32),errors++}}else{let err33={instancePath:instancePath+
"/messages/file",schemaPath:"#/properties/messages/properties/file/type",keyword:"type",params:{type:"string"},message:"\
must be string"};vErrors===null?vErrors=[err33]:vErrors.push(err33),errors++}}if(data13.mark_as_read!==void 0&&func08.call(
data13,"mark_as_read")){let data15=data13.mark_as_read,_errs37=errors,valid10=!1,_errs38=errors;if(data15!==!0){let err34={
instancePath:instancePath+"/messages/mark_as_read",schemaPath:"#/properties/messages/properties/mark_as_read/anyOf/0/con\
st",keyword:"const",params:{allowedValue:!0},message:"must be equal to constant"};vErrors===null?vErrors=[err34]:vErrors.
push(err34),errors++}var _valid0=_errs38===errors;valid10=valid10||_valid0;let _errs39=errors;if(Array.isArray(data15)){
let len2=data15.length;for(let i4=0;i4<len2;i4++){let data16=data15[i4];if(typeof data16=="string"&&!pattern410.test(data16)){
let err35={instancePath:instancePath+"/messages/mark_as_read/"+i4,schemaPath:"#/properties/messages/properties/mark_as_r\
ead/anyOf/1/items/allOf/0/pattern",keyword:"pattern",params:{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"},message:'must match patt\
ern "^(?!\\.{1,2}$)\\P{Cs}*$"'};vErrors===null?vErrors=[err35]:vErrors.push(err35),errors++}if(typeof data16=="string"){
if(data16.length>80&&func622(data16)>80){let err36={instancePath:instancePath+"/messages/mark_as_read/"+i4,schemaPath:"#\
/properties/messages/properties/mark_as_read/anyOf/1/items/maxLength",keyword:"maxLength",params:{limit:80},message:"mus\
t NOT have more than 80 characters"};vErrors===null?vErrors=[err36]:vErrors.push(err36),errors++}if(data16.length<1){let err37={
instancePath:instancePath+"/messages/mark_as_read/"+i4,schemaPath:"#/properties/messages/properties/mark_as_read/anyOf/1\
/items/minLength",keyword:"minLength",params:{limit:1},message:"must NOT have fewer than 1 characters"};vErrors===null?vErrors=
[err37]:vErrors.push(err37),errors++}}else{let err38={instancePath:instancePath+"/messages/mark_as_read/"+i4,schemaPath:"\
#/properties/messages/properties/mark_as_read/anyOf/1/items/type",keyword:"type",params:{type:"string"},message:"must be\
 string"};vErrors===null?vErrors=[err38]:vErrors.push(err38),errors++}}let i5=data15.length,j2;if(i5>1){let indices2={};
for(;i5--;){let item2=data15[i5];if(typeof item2=="string"){if(typeof indices2[item2]=="number"){j2=indices2[item2];let err39={
instancePath:instancePath+"/messages/mark_as_read",schemaPath:"#/properties/messages/properties/mark_as_read/anyOf/1/uni\
queItems",keyword:"uniqueItems",params:{i:i5,j:j2},message:"must NOT have duplicate items (items ## "+j2+" and "+i5+" ar\
e identical)"};vErrors===null?vErrors=[err39]:vErrors.push(err39),errors++;break}indices2[item2]=i5}}}}else{let err40={instancePath:instancePath+
"/messages/mark_as_read",schemaPath:"#/properties/messages/properties/mark_as_read/anyOf/1/type",keyword:"type",params:{
type:"array"},message:"must be array"};vErrors===null?vErrors=[err40]:vErrors.push(err40),errors++}var _valid0=_errs39===
errors;if(valid10=valid10||_valid0,valid10)errors=_errs37,vErrors!==null&&(_errs37?vErrors.length=_errs37:vErrors=null);else{
let err41={instancePath:instancePath+"/messages/mark_as_read",schemaPath:"#/properties/messages/properties/mark_as_read/\
anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};vErrors===null?vErrors=[err41]:vErrors.push(err41),
errors++}}}else{let err42={instancePath:instancePath+"/messages",schemaPath:"#/properties/messages/type",keyword:"type",
params:{type:"object"},message:"must be object"};vErrors===null?vErrors=[err42]:vErrors.push(err42),errors++}}if(data.lifecycle!==
void 0&&func08.call(data,"lifecycle")){let data17=data.lifecycle;if(data17&&typeof data17=="object"&&!Array.isArray(data17)){
for(let key2 of Object.keys(data17))if(!(key2==="protect"||key2==="ignore_changes"||key2==="on_remove")){let err43={instancePath:instancePath+
"/lifecycle",schemaPath:"#/properties/lifecycle/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key2},
message:"must NOT have additional properties"};vErrors===null?vErrors=[err43]:vErrors.push(err43),errors++}if(data17.protect!==
void 0&&func08.call(data17,"protect")&&typeof data17.protect!="boolean"){let err44={instancePath:instancePath+"/lifecycl\
e/protect",schemaPath:"#/properties/lifecycle/properties/protect/type",keyword:"type",params:{type:"boolean"},message:"m\
ust be boolean"};vErrors===null?vErrors=[err44]:vErrors.push(err44),errors++}if(data17.ignore_changes!==void 0&&func08.call(
data17,"ignore_changes")){let data19=data17.ignore_changes;if(Array.isArray(data19)){let len3=data19.length;for(let i6=0;i6<
len3;i6++){let data20=data19[i6];if(!(data20==="name"||data20==="cover_url"||data20==="cover_file"||data20==="custom_typ\
e"||data20==="data"||data20==="is_ephemeral"||data20==="operators"||data20==="operators_mode"||data20==="frozen"||data20===
"is_dynamic_partitioned")){let err45={instancePath:instancePath+"/lifecycle/ignore_changes/"+i6,schemaPath:"#/properties\
/lifecycle/properties/ignore_changes/items/enum",keyword:"enum",params:{allowedValues:schema318.properties.lifecycle.properties.
ignore_changes.items.enum},message:"must be equal to one of the allowed values"};vErrors===null?vErrors=[err45]:vErrors.
push(err45),errors++}}let i7=data19.length,j3;if(i7>1){outer0:for(;i7--;)for(j3=i7;j3--;)if(func275(data19[i7],data19[j3])){
let err46={instancePath:instancePath+"/lifecycle/ignore_changes",schemaPath:"#/properties/lifecycle/properties/ignore_ch\
anges/uniqueItems",keyword:"uniqueItems",params:{i:i7,j:j3},message:"must NOT have duplicate items (items ## "+j3+" and "+
i7+" are identical)"};vErrors===null?vErrors=[err46]:vErrors.push(err46),errors++;break outer0}}}else{let err47={instancePath:instancePath+
"/lifecycle/ignore_changes",schemaPath:"#/properties/lifecycle/properties/ignore_changes/type",keyword:"type",params:{type:"\
array"},message:"must be array"};vErrors===null?vErrors=[err47]:vErrors.push(err47),errors++}}if(data17.on_remove!==void 0&&
func08.call(data17,"on_remove")){let data21=data17.on_remove;if(!(data21==="freeze"||data21==="delete"||data21==="forget")){
let err48={instancePath:instancePath+"/lifecycle/on_remove",schemaPath:"#/properties/lifecycle/properties/on_remove/enum",
keyword:"enum",params:{allowedValues:schema318.properties.lifecycle.properties.on_remove.enum},message:"must be equal to\
 one of the allowed values"};vErrors===null?vErrors=[err48]:vErrors.push(err48),errors++}}}else{let err49={instancePath:instancePath+
"/lifecycle",schemaPath:"#/properties/lifecycle/type",keyword:"type",params:{type:"object"},message:"must be object"};vErrors===
null?vErrors=[err49]:vErrors.push(err49),errors++}}}else{let err50={instancePath,schemaPath:"#/type",keyword:"type",params:{
type:"object"},message:"must be object"};vErrors===null?vErrors=[err50]:vErrors.push(err50),errors++}return validate2010.
errors=vErrors,errors===0}validate2010.evaluated={props:!0,dynamicProps:!1,dynamicItems:!1};var group_channel_key_default=validate2011;var func603=require_ucs2length().default,pattern411=new RegExp("^[0-9A-Za-z_-]*$","u");function validate2011(data,{instancePath="",
parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){let vErrors=null,errors=0,evaluated0=validate2011.evaluated;
if(evaluated0.dynamicProps&&(evaluated0.props=void 0),evaluated0.dynamicItems&&(evaluated0.items=void 0),typeof data=="s\
tring"){if(data.length>100&&func603(data)>100){let err0={instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{
limit:100},message:"must NOT have more than 100 characters"};vErrors===null?vErrors=[err0]:vErrors.push(err0),errors++}if(func603(
data)<4){let err1={instancePath,schemaPath:"#/minLength",keyword:"minLength",params:{limit:4},message:"must NOT have few\
er than 4 characters"};vErrors===null?vErrors=[err1]:vErrors.push(err1),errors++}if(!pattern411.test(data)){let err2={instancePath,
schemaPath:"#/pattern",keyword:"pattern",params:{pattern:"^[0-9A-Za-z_-]*$"},message:'must match pattern "^[0-9A-Za-z_-]\
*$"'};vErrors===null?vErrors=[err2]:vErrors.push(err2),errors++}}else{let err3={instancePath,schemaPath:"#/type",keyword:"\
type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err3]:vErrors.push(err3),errors++}return validate2011.
errors=vErrors,errors===0}validate2011.evaluated={dynamicProps:!1,dynamicItems:!1};var group_channel_block_default=validate2012,schema319={type:"object",properties:{name:{type:"string",maxLength:191},cover_url:{
type:"string",maxLength:2048},cover_file:{type:"string",minLength:1,"x-file":{maxBytes:5e6,types:["image/png","image/jpe\
g"]}},custom_type:{type:"string",maxLength:128},data:{type:"string"},is_ephemeral:{type:"boolean"},members:{type:"object",
propertyNames:{type:"string",minLength:1,maxLength:80,allOf:[{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"}]},additionalProperties:{
type:["object","null"],properties:{invitation_status:{enum:["joined","invited_by_friend","invited_by_non_friend"]},hidden_status:{
enum:["unhidden","hidden_allow_auto_unhide","hidden_prevent_auto_unhide"]}},additionalProperties:!1}},members_mode:{enum:[
"additive","exclusive"]},operators:{type:"array",items:{type:"string",minLength:1,maxLength:80,allOf:[{pattern:"^(?!\\.{1\
,2}$)\\P{Cs}*$"},{pattern:"^[^,]*$"}]},uniqueItems:!0,maxItems:100},operators_mode:{enum:["additive","exclusive"]},is_distinct:{
type:"boolean"},is_public:{type:"boolean"},is_super:{type:"boolean"},access_code:{type:"object",properties:{env:{type:"s\
tring",pattern:"^[A-Z][A-Z0-9_]*$"},revision:{type:"integer",minimum:1}},required:["env","revision"],additionalProperties:!1},
inviter_id:{type:"string",minLength:1,maxLength:80,allOf:[{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"}]},strict:{type:"boolean"},
block_sdk_user_channel_join:{type:"boolean"},frozen:{type:"boolean"},operator_ids:{deprecated:!0,type:"array",items:{type:"\
string",minLength:1,maxLength:80,allOf:[{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"},{pattern:"^[^,]*$"}]},uniqueItems:!0,maxItems:100},
user_ids:{deprecated:!0,type:"array",items:{type:"string",minLength:1,maxLength:80,allOf:[{pattern:"^(?!\\.{1,2}$)\\P{Cs}*\
$"}]},uniqueItems:!0,maxItems:2e3},users:{deprecated:!0,type:"array",maxItems:2e3,items:{type:"object",properties:{user_id:{
type:"string",minLength:1,maxLength:80,allOf:[{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"}]}},required:["user_id"]}},invitation_status:{
deprecated:!0,type:"object",additionalProperties:{enum:["joined","invited_by_friend","invited_by_non_friend"]}},hidden_status:{
deprecated:!0,type:"object",additionalProperties:{enum:["unhidden","hidden_allow_auto_unhide","hidden_prevent_auto_unhid\
e"]}},messages:{type:"object",required:["file"],properties:{file:{type:"string",minLength:1},mark_as_read:{anyOf:[{const:!0},
{type:"array",items:{type:"string",minLength:1,maxLength:80,allOf:[{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"}]},uniqueItems:!0}]}},
additionalProperties:!1},lifecycle:{type:"object",properties:{protect:{type:"boolean"},ignore_changes:{type:"array",items:{
enum:["name","cover_url","cover_file","custom_type","data","is_ephemeral","members","members_mode","operators","operator\
s_mode","is_distinct","is_public","is_super","access_code","inviter_id","strict","block_sdk_user_channel_join","frozen"]},
uniqueItems:!0},on_remove:{enum:["freeze","delete","forget"]}},additionalProperties:!1}},additionalProperties:!1,allOf:[
{not:{required:["cover_url","cover_file"]}},{if:{properties:{is_super:{const:!0}},required:["is_super"]},then:{properties:{
members:{maxProperties:2e3}},not:{properties:{is_distinct:{const:!0}},required:["is_distinct"]}},else:{properties:{members:{
maxProperties:100}}}},{if:{required:["access_code"]},then:{properties:{is_public:{const:!0}},required:["is_public"]}},{not:{
properties:{is_public:{const:!0},members_mode:{const:"exclusive"}},required:["is_public","members_mode"]}},{not:{properties:{
is_public:{const:!0},operators_mode:{const:"exclusive"}},required:["is_public","operators_mode"]}}]},func09=Object.prototype.
hasOwnProperty,func81=require_ucs2length().default,func276=require_equal().default,pattern412=new RegExp("^(?!\\.{1,2}$)\\\
P{Cs}*$","u"),pattern62=new RegExp("^[^,]*$","u"),pattern72=new RegExp("^[A-Z][A-Z0-9_]*$","u");function validate2012(data,{
instancePath="",parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){let vErrors=null,errors=0,evaluated0=validate2012.
evaluated;evaluated0.dynamicProps&&(evaluated0.props=void 0),evaluated0.dynamicItems&&(evaluated0.items=void 0);let _errs2=errors,
_errs3=errors;if(data&&typeof data=="object"&&!Array.isArray(data)){let missing0;if((data.cover_url===void 0||!func09.call(
data,"cover_url"))&&(missing0="cover_url")||(data.cover_file===void 0||!func09.call(data,"cover_file"))&&(missing0="cove\
r_file")){let err0={};vErrors===null?vErrors=[err0]:vErrors.push(err0),errors++}}var valid1=_errs3===errors;if(valid1){let err1={
instancePath,schemaPath:"#/allOf/0/not",keyword:"not",params:{},message:"must NOT be valid"};vErrors===null?vErrors=[err1]:
vErrors.push(err1),errors++}else errors=_errs2,vErrors!==null&&(_errs2?vErrors.length=_errs2:vErrors=null);let _errs5=errors,
valid2=!0,_errs6=errors;if(data&&typeof data=="object"&&!Array.isArray(data)){let missing1;if((data.is_super===void 0||!func09.
call(data,"is_super"))&&(missing1="is_super")){let err2={};vErrors===null?vErrors=[err2]:vErrors.push(err2),errors++}else if(data.
is_super!==void 0&&func09.call(data,"is_super")&&data.is_super!==!0){let err3={};vErrors===null?vErrors=[err3]:vErrors.push(
err3),errors++}}var _valid0=_errs6===errors;errors=_errs5,vErrors!==null&&(_errs5?vErrors.length=_errs5:vErrors=null);let ifClause0;
if(_valid0){let _errs8=errors,_errs9=errors,_errs10=errors;if(data&&typeof data=="object"&&!Array.isArray(data)){let missing2;
if((data.is_distinct===void 0||!func09.call(data,"is_distinct"))&&(missing2="is_distinct")){let err4={};vErrors===null?vErrors=
[err4]:vErrors.push(err4),errors++}else if(data.is_distinct!==void 0&&func09.call(data,"is_distinct")&&data.is_distinct!==
!0){let err5={};vErrors===null?vErrors=[err5]:vErrors.push(err5),errors++}}var valid4=_errs10===errors;if(valid4){let err6={
instancePath,schemaPath:"#/allOf/1/then/not",keyword:"not",params:{},message:"must NOT be valid"};vErrors===null?vErrors=
[err6]:vErrors.push(err6),errors++}else errors=_errs9,vErrors!==null&&(_errs9?vErrors.length=_errs9:vErrors=null);if(data&&
typeof data=="object"&&!Array.isArray(data)&&data.members!==void 0&&func09.call(data,"members")){let data2=data.members;
if(data2&&typeof data2=="object"&&!Array.isArray(data2)&&Object.keys(data2).length>2e3){let err7={instancePath:instancePath+
"/members",schemaPath:"#/allOf/1/then/properties/members/maxProperties",keyword:"maxProperties",params:{limit:2e3},message:"\
must NOT have more than 2000 properties"};vErrors===null?vErrors=[err7]:vErrors.push(err7),errors++}}var _valid0=_errs8===
errors;if(valid2=_valid0,valid2){var props0={};props0.members=!0,props0.is_super=!0}ifClause0="then"}else{let _errs13=errors;
if(data&&typeof data=="object"&&!Array.isArray(data)&&data.members!==void 0&&func09.call(data,"members")){let data3=data.
members;if(data3&&typeof data3=="object"&&!Array.isArray(data3)&&Object.keys(data3).length>100){let err8={instancePath:instancePath+
"/members",schemaPath:"#/allOf/1/else/properties/members/maxProperties",keyword:"maxProperties",params:{limit:100},message:"\
must NOT have more than 100 properties"};vErrors===null?vErrors=[err8]:vErrors.push(err8),errors++}}var _valid0=_errs13===
errors;valid2=_valid0,valid2&&props0!==!0&&(props0=props0||{},props0.members=!0),ifClause0="else"}if(!valid2){let err9={
instancePath,schemaPath:"#/allOf/1/if",keyword:"if",params:{failingKeyword:ifClause0},message:'must match "'+ifClause0+'\
" schema'};vErrors===null?vErrors=[err9]:vErrors.push(err9),errors++}let _errs16=errors,valid8=!0,_errs17=errors;if(data&&
typeof data=="object"&&!Array.isArray(data)){let missing3;if((data.access_code===void 0||!func09.call(data,"access_code"))&&
(missing3="access_code")){let err10={};vErrors===null?vErrors=[err10]:vErrors.push(err10),errors++}}var _valid1=_errs17===
errors;if(errors=_errs16,vErrors!==null&&(_errs16?vErrors.length=_errs16:vErrors=null),_valid1){let _errs18=errors;if(data&&
typeof data=="object"&&!Array.isArray(data)){if(data.is_public===void 0||!func09.call(data,"is_public")){let err11={instancePath,
schemaPath:"#/allOf/2/then/required",keyword:"required",params:{missingProperty:"is_public"},message:"must have required\
 property 'is_public'"};vErrors===null?vErrors=[err11]:vErrors.push(err11),errors++}if(data.is_public!==void 0&&func09.call(
data,"is_public")&&data.is_public!==!0){let err12={instancePath:instancePath+"/is_public",schemaPath:"#/allOf/2/then/pro\
perties/is_public/const",keyword:"const",params:{allowedValue:!0},message:"must be equal to constant"};vErrors===null?vErrors=
[err12]:vErrors.push(err12),errors++}}var _valid1=_errs18===errors;if(valid8=_valid1,valid8){var props1={};props1.is_public=
!0}}if(!valid8){let err13={instancePath,schemaPath:"#/allOf/2/if",keyword:"if",params:{failingKeyword:"then"},message:'m\
ust match "then" schema'};vErrors===null?vErrors=[err13]:vErrors.push(err13),errors++}props0!==!0&&props1!==void 0&&(props1===
!0?props0=!0:(props0=props0||{},Object.assign(props0,props1)));let _errs21=errors,_errs22=errors;if(data&&typeof data=="\
object"&&!Array.isArray(data)){let missing4;if((data.is_public===void 0||!func09.call(data,"is_public"))&&(missing4="is_\
public")||(data.members_mode===void 0||!func09.call(data,"members_mode"))&&(missing4="members_mode")){let err14={};vErrors===
null?vErrors=[err14]:vErrors.push(err14),errors++}else{if(data.is_public!==void 0&&func09.call(data,"is_public")){let _errs23=errors;
if(data.is_public!==!0){let err15={};vErrors===null?vErrors=[err15]:vErrors.push(err15),errors++}var valid11=_errs23===errors}else
var valid11=!0;if(valid11)if(data.members_mode!==void 0&&func09.call(data,"members_mode")){let _errs24=errors;if(data.members_mode!==
"exclusive"){let err16={};vErrors===null?vErrors=[err16]:vErrors.push(err16),errors++}var valid11=_errs24===errors}else var valid11=!0}}
var valid10=_errs22===errors;if(valid10){let err17={instancePath,schemaPath:"#/allOf/3/not",keyword:"not",params:{},message:"\
must NOT be valid"};vErrors===null?vErrors=[err17]:vErrors.push(err17),errors++}else errors=_errs21,vErrors!==null&&(_errs21?
vErrors.length=_errs21:vErrors=null);let _errs26=errors,_errs27=errors;if(data&&typeof data=="object"&&!Array.isArray(data)){
let missing5;if((data.is_public===void 0||!func09.call(data,"is_public"))&&(missing5="is_public")||(data.operators_mode===
void 0||!func09.call(data,"operators_mode"))&&(missing5="operators_mode")){let err18={};vErrors===null?vErrors=[err18]:vErrors.
push(err18),errors++}else{if(data.is_public!==void 0&&func09.call(data,"is_public")){let _errs28=errors;if(data.is_public!==
!0){let err19={};vErrors===null?vErrors=[err19]:vErrors.push(err19),errors++}var valid13=_errs28===errors}else var valid13=!0;
if(valid13)if(data.operators_mode!==void 0&&func09.call(data,"operators_mode")){let _errs29=errors;if(data.operators_mode!==
"exclusive"){let err20={};vErrors===null?vErrors=[err20]:vErrors.push(err20),errors++}var valid13=_errs29===errors}else var valid13=!0}}
var valid12=_errs27===errors;if(valid12){let err21={instancePath,schemaPath:"#/allOf/4/not",keyword:"not",params:{},message:"\
must NOT be valid"};vErrors===null?vErrors=[err21]:vErrors.push(err21),errors++}else errors=_errs26,vErrors!==null&&(_errs26?
vErrors.length=_errs26:vErrors=null);if(data&&typeof data=="object"&&!Array.isArray(data)){for(let key0 of Object.keys(data))
if(!func09.call(schema319.properties,key0)){let err22={instancePath,schemaPath:"#/additionalProperties",keyword:"additio\
nalProperties",params:{additionalProperty:key0},message:"must NOT have additional properties"};vErrors===null?vErrors=[err22]:
vErrors.push(err22),errors++}if(data.name!==void 0&&func09.call(data,"name")){let data9=data.name;if(typeof data9=="stri\
ng"){if(data9.length>191&&func81(data9)>191){let err23={instancePath:instancePath+"/name",schemaPath:"#/properties/name/\
maxLength",keyword:"maxLength",params:{limit:191},message:"must NOT have more than 191 characters"};vErrors===null?vErrors=
[err23]:vErrors.push(err23),errors++}}else{let err24={instancePath:instancePath+"/name",schemaPath:"#/properties/name/ty\
pe",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err24]:vErrors.push(err24),errors++}}
if(data.cover_url!==void 0&&func09.call(data,"cover_url")){let data10=data.cover_url;if(typeof data10=="string"){if(data10.
length>2048&&func81(data10)>2048){let err25={instancePath:instancePath+"/cover_url",schemaPath:"#/properties/cover_url/m\
axLength",keyword:"maxLength",params:{limit:2048},message:"must NOT have more than 2048 characters"};vErrors===null?vErrors=
[err25]:vErrors.push(err25),errors++}}else{let err26={instancePath:instancePath+"/cover_url",schemaPath:"#/properties/co\
ver_url/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err26]:vErrors.push(
err26),errors++}}if(data.cover_file!==void 0&&func09.call(data,"cover_file")){let data11=data.cover_file;if(typeof data11==
"string"){if(data11.length<1){let err27={instancePath:instancePath+"/cover_file",schemaPath:"#/properties/cover_file/min\
Length",keyword:"minLength",params:{limit:1},message:"must NOT have fewer than 1 characters"};vErrors===null?vErrors=[err27]:
vErrors.push(err27),errors++}}else{let err28={instancePath:instancePath+"/cover_file",schemaPath:"#/properties/cover_fil\
e/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err28]:vErrors.push(err28),
errors++}}if(data.custom_type!==void 0&&func09.call(data,"custom_type")){let data12=data.custom_type;if(typeof data12=="\
string"){if(data12.length>128&&func81(data12)>128){let err29={instancePath:instancePath+"/custom_type",schemaPath:"#/pro\
perties/custom_type/maxLength",keyword:"maxLength",params:{limit:128},message:"must NOT have more than 128 characters"};
vErrors===null?vErrors=[err29]:vErrors.push(err29),errors++}}else{let err30={instancePath:instancePath+"/custom_type",schemaPath:"\
#/properties/custom_type/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err30]:
vErrors.push(err30),errors++}}if(data.data!==void 0&&func09.call(data,"data")&&typeof data.data!="string"){let err31={instancePath:instancePath+
"/data",schemaPath:"#/properties/data/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?
vErrors=[err31]:vErrors.push(err31),errors++}if(data.is_ephemeral!==void 0&&func09.call(data,"is_ephemeral")&&typeof data.
is_ephemeral!="boolean"){let err32={instancePath:instancePath+"/is_ephemeral",schemaPath:"#/properties/is_ephemeral/type",
keyword:"type",params:{type:"boolean"},message:"must be boolean"};vErrors===null?vErrors=[err32]:vErrors.push(err32),errors++}
if(data.members!==void 0&&func09.call(data,"members")){let data15=data.members;if(data15&&typeof data15=="object"&&!Array.
isArray(data15)){for(let key1 of Object.keys(data15)){let _errs45=errors;if(typeof key1=="string"&&!pattern412.test(key1)){
let err33={instancePath:instancePath+"/members",schemaPath:"#/properties/members/propertyNames/allOf/0/pattern",keyword:"\
pattern",params:{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"},message:'must match pattern "^(?!\\.{1,2}$)\\P{Cs}*$"',propertyName:key1};
vErrors===null?vErrors=[err33]:vErrors.push(err33),errors++}if(typeof key1=="string"){if(key1.length>80&&func81(key1)>80){
let err34={instancePath:instancePath+"/members",schemaPath:"#/properties/members/propertyNames/maxLength",keyword:"maxLe\
ngth",params:{limit:80},message:"must NOT have more than 80 characters",propertyName:key1};vErrors===null?vErrors=[err34]:
vErrors.push(err34),errors++}if(key1.length<1){let err35={instancePath:instancePath+"/members",schemaPath:"#/properties/\
members/propertyNames/minLength",keyword:"minLength",params:{limit:1},message:"must NOT have fewer than 1 characters",propertyName:key1};
vErrors===null?vErrors=[err35]:vErrors.push(err35),errors++}}else{let err36={instancePath:instancePath+"/members",schemaPath:"\
#/properties/members/propertyNames/type",keyword:"type",params:{type:"string"},message:"must be string",propertyName:key1};
vErrors===null?vErrors=[err36]:vErrors.push(err36),errors++}var valid15=_errs45===errors;if(!valid15){let err37={instancePath:instancePath+
"/members",schemaPath:"#/properties/members/propertyNames",keyword:"propertyNames",params:{propertyName:key1},message:"p\
roperty name must be valid"};vErrors===null?vErrors=[err37]:vErrors.push(err37),errors++}}for(let key2 of Object.keys(data15)){
let data16=data15[key2];if(!(data16&&typeof data16=="object"&&!Array.isArray(data16))&&data16!==null){let err38={instancePath:instancePath+
"/members/"+key2.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/members/additionalProperties/type",keyword:"\
type",params:{type:schema319.properties.members.additionalProperties.type},message:"must be object,null"};vErrors===null?
vErrors=[err38]:vErrors.push(err38),errors++}if(data16&&typeof data16=="object"&&!Array.isArray(data16)){for(let key3 of Object.
keys(data16))if(!(key3==="invitation_status"||key3==="hidden_status")){let err39={instancePath:instancePath+"/members/"+
key2.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/members/additionalProperties/additionalProperties",
keyword:"additionalProperties",params:{additionalProperty:key3},message:"must NOT have additional properties"};vErrors===
null?vErrors=[err39]:vErrors.push(err39),errors++}if(data16.invitation_status!==void 0&&func09.call(data16,"invitation_s\
tatus")){let data17=data16.invitation_status;if(!(data17==="joined"||data17==="invited_by_friend"||data17==="invited_by_\
non_friend")){let err40={instancePath:instancePath+"/members/"+key2.replace(/~/g,"~0").replace(/\//g,"~1")+"/invitation_\
status",schemaPath:"#/properties/members/additionalProperties/properties/invitation_status/enum",keyword:"enum",params:{
allowedValues:schema319.properties.members.additionalProperties.properties.invitation_status.enum},message:"must be equa\
l to one of the allowed values"};vErrors===null?vErrors=[err40]:vErrors.push(err40),errors++}}if(data16.hidden_status!==
void 0&&func09.call(data16,"hidden_status")){let data18=data16.hidden_status;if(!(data18==="unhidden"||data18==="hidden_\
allow_auto_unhide"||data18==="hidden_prevent_auto_unhide")){let err41={instancePath:instancePath+"/members/"+key2.replace(
/~/g,"~0").replace(/\//g,"~1")+"/hidden_status",schemaPath:"#/properties/members/additionalProperties/properties/hidden_\
status/enum",keyword:"enum",params:{allowedValues:schema319.properties.members.additionalProperties.properties.hidden_status.
enum},message:"must be equal to one of the allowed values"};vErrors===null?vErrors=[err41]:vErrors.push(err41),errors++}}}}}else{
let err42={instancePath:instancePath+"/members",schemaPath:"#/properties/members/type",keyword:"type",params:{type:"obje\
ct"},message:"must be object"};vErrors===null?vErrors=[err42]:vErrors.push(err42),errors++}}if(data.members_mode!==void 0&&
func09.call(data,"members_mode")){let data19=data.members_mode;if(!(data19==="additive"||data19==="exclusive")){let err43={
instancePath:instancePath+"/members_mode",schemaPath:"#/properties/members_mode/enum",keyword:"enum",params:{allowedValues:schema319.
properties.members_mode.enum},message:"must be equal to one of the allowed values"};vErrors===null?vErrors=[err43]:vErrors.
push(err43),errors++}}if(data.operators!==void 0&&func09.call(data,"operators")){let data20=data.operators;if(Array.isArray(
data20)){if(data20.length>100){let err44={instancePath:instancePath+"/operators",schemaPath:"#/properties/operators/maxI\
tems",keyword:"maxItems",params:{limit:100},message:"must NOT have more than 100 items"};vErrors===null?vErrors=[err44]:
vErrors.push(err44),errors++}let len0=data20.length;for(let i0=0;i0<len0;i0++){let data21=data20[i0];if(typeof data21=="\
string"&&!pattern412.test(data21)){let err45={instancePath:instancePath+"/operators/"+i0,schemaPath:"#/properties/operat\
ors/items/allOf/0/pattern",keyword:"pattern",params:{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"},message:'must match pattern "^(?\
!\\.{1,2}$)\\P{Cs}*$"'};vErrors===null?vErrors=[err45]:vErrors.push(err45),errors++}if(typeof data21=="string"&&!pattern62.
test(data21)){let err46={instancePath:instancePath+"/operators/"+i0,schemaPath:"#/properties/operators/items/allOf/1/pat\
tern",keyword:"pattern",params:{pattern:"^[^,]*$"},message:'must match pattern "^[^,]*$"'};vErrors===null?vErrors=[err46]:
vErrors.push(err46),errors++}if(typeof data21=="string"){if(data21.length>80&&func81(data21)>80){let err47={instancePath:instancePath+
"/operators/"+i0,schemaPath:"#/properties/operators/items/maxLength",keyword:"maxLength",params:{limit:80},message:"must\
 NOT have more than 80 characters"};vErrors===null?vErrors=[err47]:vErrors.push(err47),errors++}if(data21.length<1){let err48={
instancePath:instancePath+"/operators/"+i0,schemaPath:"#/properties/operators/items/minLength",keyword:"minLength",params:{
limit:1},message:"must NOT have fewer than 1 characters"};vErrors===null?vErrors=[err48]:vErrors.push(err48),errors++}}else{
let err49={instancePath:instancePath+"/operators/"+i0,schemaPath:"#/properties/operators/items/type",keyword:"type",params:{
type:"string"},message:"must be string"};vErrors===null?vErrors=[err49]:vErrors.push(err49),errors++}}let i1=data20.length,
j0;if(i1>1){let indices0={};for(;i1--;){let item0=data20[i1];if(typeof item0=="string"){if(typeof indices0[item0]=="numb\
er"){j0=indices0[item0];let err50={instancePath:instancePath+"/operators",schemaPath:"#/properties/operators/uniqueItems",
keyword:"uniqueItems",params:{i:i1,j:j0},message:"must NOT have duplicate items (items ## "+j0+" and "+i1+" are identica\
l)"};vErrors===null?vErrors=[err50]:vErrors.push(err50),errors++;break}indices0[item0]=i1}}}}else{let err51={instancePath:instancePath+
"/operators",schemaPath:"#/properties/operators/type",keyword:"type",params:{type:"array"},message:"must be array"};vErrors===
null?vErrors=[err51]:vErrors.push(err51),errors++}}if(data.operators_mode!==void 0&&func09.call(data,"operators_mode")){
let data22=data.operators_mode;if(!(data22==="additive"||data22==="exclusive")){let err52={instancePath:instancePath+"/o\
perators_mode",schemaPath:"#/properties/operators_mode/enum",keyword:"enum",params:{allowedValues:schema319.properties.operators_mode.
enum},message:"must be equal to one of the allowed values"};vErrors===null?vErrors=[err52]:vErrors.push(err52),errors++}}
if(data.is_distinct!==void 0&&func09.call(data,"is_distinct")&&typeof data.is_distinct!="boolean"){let err53={instancePath:instancePath+
"/is_distinct",schemaPath:"#/properties/is_distinct/type",keyword:"type",params:{type:"boolean"},message:"must be boolea\
n"};vErrors===null?vErrors=[err53]:vErrors.push(err53),errors++}if(data.is_public!==void 0&&func09.call(data,"is_public")&&
typeof data.is_public!="boolean"){let err54={instancePath:instancePath+"/is_public",schemaPath:"#/properties/is_public/t\
ype",keyword:"type",params:{type:"boolean"},message:"must be boolean"};vErrors===null?vErrors=[err54]:vErrors.push(err54),
errors++}if(data.is_super!==void 0&&func09.call(data,"is_super")&&typeof data.is_super!="boolean"){let err55={instancePath:instancePath+
"/is_super",schemaPath:"#/properties/is_super/type",keyword:"type",params:{type:"boolean"},message:"must be boolean"};vErrors===
null?vErrors=[err55]:vErrors.push(err55),errors++}if(data.access_code!==void 0&&func09.call(data,"access_code")){let data26=data.
access_code;if(data26&&typeof data26=="object"&&!Array.isArray(data26)){if(data26.env===void 0||!func09.call(data26,"env")){
let err56={instancePath:instancePath+"/access_code",schemaPath:"#/properties/access_code/required",keyword:"required",params:{
missingProperty:"env"},message:"must have required property 'env'"};vErrors===null?vErrors=[err56]:vErrors.push(err56),errors++}
if(data26.revision===void 0||!func09.call(data26,"revision")){let err57={instancePath:instancePath+"/access_code",schemaPath:"\
#/properties/access_code/required",keyword:"required",params:{missingProperty:"revision"},message:"must have required pr\
operty 'revision'"};vErrors===null?vErrors=[err57]:vErrors.push(err57),errors++}for(let key4 of Object.keys(data26))if(!(key4===
"env"||key4==="revision")){let err58={instancePath:instancePath+"/access_code",schemaPath:"#/properties/access_code/addi\
tionalProperties",keyword:"additionalProperties",params:{additionalProperty:key4},message:"must NOT have additional prop\
erties"};vErrors===null?vErrors=[err58]:vErrors.push(err58),errors++}if(data26.env!==void 0&&func09.call(data26,"env")){
let data27=data26.env;if(typeof data27=="string"){if(!pattern72.test(data27)){let err59={instancePath:instancePath+"/acc\
ess_code/env",schemaPath:"#/properties/access_code/properties/env/pattern",keyword:"pattern",params:{pattern:"^[A-Z][A-Z\
0-9_]*$"},message:'must match pattern "^[A-Z][A-Z0-9_]*$"'};vErrors===null?vErrors=[err59]:vErrors.push(err59),errors++}}else{
let err60={instancePath:instancePath+"/access_code/env",schemaPath:"#/properties/access_code/properties/env/type",keyword:"\
type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err60]:vErrors.push(err60),errors++}}if(data26.
revision!==void 0&&func09.call(data26,"revision")){let data28=data26.revision;if(!(typeof data28=="number"&&!(data28%1)&&
!isNaN(data28)&&isFinite(data28))){let err61={instancePath:instancePath+"/access_code/revision",schemaPath:"#/properties\
/access_code/properties/revision/type",keyword:"type",params:{type:"integer"},message:"must be integer"};vErrors===null?
vErrors=[err61]:vErrors.push(err61),errors++}if(typeof data28=="number"&&isFinite(data28)&&(data28<1||isNaN(data28))){let err62={
instancePath:instancePath+"/access_code/revision",schemaPath:"#/properties/access_code/properties/revision/minimum",keyword:"\
minimum",params:{comparison:">=",limit:1},message:"must be >= 1"};vErrors===null?vErrors=[err62]:vErrors.push(err62),errors++}}}else{
let err63={instancePath:instancePath+"/access_code",schemaPath:"#/properties/access_code/type",keyword:"type",params:{type:"\
object"},message:"must be object"};vErrors===null?vErrors=[err63]:vErrors.push(err63),errors++}}if(data.inviter_id!==void 0&&
func09.call(data,"inviter_id")){let data29=data.inviter_id;if(typeof data29=="string"&&!pattern412.test(data29)){let err64={
instancePath:instancePath+"/inviter_id",schemaPath:"#/properties/inviter_id/allOf/0/pattern",keyword:"pattern",params:{pattern:"\
^(?!\\.{1,2}$)\\P{Cs}*$"},message:'must match pattern "^(?!\\.{1,2}$)\\P{Cs}*$"'};vErrors===null?vErrors=[err64]:vErrors.
push(err64),errors++}if(typeof data29=="string"){if(data29.length>80&&func81(data29)>80){let err65={instancePath:instancePath+
"/inviter_id",schemaPath:"#/properties/inviter_id/maxLength",keyword:"maxLength",params:{limit:80},message:"must NOT hav\
e more than 80 characters"};vErrors===null?vErrors=[err65]:vErrors.push(err65),errors++}if(data29.length<1){let err66={instancePath:instancePath+
"/inviter_id",schemaPath:"#/properties/inviter_id/minLength",keyword:"minLength",params:{limit:1},message:"must NOT have\
 fewer than 1 characters"};vErrors===null?vErrors=[err66]:vErrors.push(err66),errors++}}else{let err67={instancePath:instancePath+
"/inviter_id",schemaPath:"#/properties/inviter_id/type",keyword:"type",params:{type:"string"},message:"must be string"};
vErrors===null?vErrors=[err67]:vErrors.push(err67),errors++}}if(data.strict!==void 0&&func09.call(data,"strict")&&typeof data.
strict!="boolean"){let err68={instancePath:instancePath+"/strict",schemaPath:"#/properties/strict/type",keyword:"type",params:{
type:"boolean"},message:"must be boolean"};vErrors===null?vErrors=[err68]:vErrors.push(err68),errors++}if(data.block_sdk_user_channel_join!==
void 0&&func09.call(data,"block_sdk_user_channel_join")&&typeof data.block_sdk_user_channel_join!="boolean"){let err69={
instancePath:instancePath+"/block_sdk_user_channel_join",schemaPath:"#/properties/block_sdk_user_channel_join/type",keyword:"\
type",params:{type:"boolean"},message:"must be boolean"};vErrors===null?vErrors=[err69]:vErrors.push(err69),errors++}if(data.
frozen!==void 0&&func09.call(data,"frozen")&&typeof data.frozen!="boolean"){let err70={instancePath:instancePath+"/froze\
n",schemaPath:"#/properties/frozen/type",keyword:"type",params:{type:"boolean"},message:"must be boolean"};vErrors===null?
vErrors=[err70]:vErrors.push(err70),errors++}if(data.operator_ids!==void 0&&func09.call(data,"operator_ids")){let data33=data.
operator_ids;if(Array.isArray(data33)){if(data33.length>100){let err71={instancePath:instancePath+"/operator_ids",schemaPath:"\
#/properties/operator_ids/maxItems",keyword:"maxItems",params:{limit:100},message:"must NOT have more than 100 items"};vErrors===
null?vErrors=[err71]:vErrors.push(err71),errors++}let len1=data33.length;for(let i2=0;i2<len1;i2++){let data34=data33[i2];
if(typeof data34=="string"&&!pattern412.test(data34)){let err72={instancePath:instancePath+"/operator_ids/"+i2,schemaPath:"\
#/properties/operator_ids/items/allOf/0/pattern",keyword:"pattern",params:{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"},message:'m\
ust match pattern "^(?!\\.{1,2}$)\\P{Cs}*$"'};vErrors===null?vErrors=[err72]:vErrors.push(err72),errors++}if(typeof data34==
"string"&&!pattern62.test(data34)){let err73={instancePath:instancePath+"/operator_ids/"+i2,schemaPath:"#/properties/ope\
rator_ids/items/allOf/1/pattern",keyword:"pattern",params:{pattern:"^[^,]*$"},message:'must match pattern "^[^,]*$"'};vErrors===
null?vErrors=[err73]:vErrors.push(err73),errors++}if(typeof data34=="string"){if(data34.length>80&&func81(data34)>80){let err74={
instancePath:instancePath+"/operator_ids/"+i2,schemaPath:"#/properties/operator_ids/items/maxLength",keyword:"maxLength",
params:{limit:80},message:"must NOT have more than 80 characters"};vErrors===null?vErrors=[err74]:vErrors.push(err74),errors++}
if(data34.length<1){let err75={instancePath:instancePath+"/operator_ids/"+i2,schemaPath:"#/properties/operator_ids/items\
/minLength",keyword:"minLength",params:{limit:1},message:"must NOT have fewer than 1 characters"};vErrors===null?vErrors=
[err75]:vErrors.push(err75),errors++}}else{let err76={instancePath:instancePath+"/operator_ids/"+i2,schemaPath:"#/proper\
ties/operator_ids/items/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err76]:
vErrors.push(err76),errors++}}let i3=data33.length,j1;if(i3>1){let indices1={};for(;i3--;){let item1=data33[i3];if(typeof item1==
"string"){if(typeof indices1[item1]=="number"){j1=indices1[item1];let err77={instancePath:instancePath+"/operator_ids",schemaPath:"\
#/properties/operator_ids/uniqueItems",keyword:"uniqueItems",params:{i:i3,j:j1},message:"must NOT have duplicate items (\
items ## "+j1+" and "+i3+" are identical)"};vErrors===null?vErrors=[err77]:vErrors.push(err77),errors++;break}indices1[item1]=
i3}}}}else{let err78={instancePath:instancePath+"/operator_ids",schemaPath:"#/properties/operator_ids/type",keyword:"typ\
e",params:{type:"array"},message:"must be array"};vErrors===null?vErrors=[err78]:vErrors.push(err78),errors++}}if(data.user_ids!==
void 0&&func09.call(data,"user_ids")){let data35=data.user_ids;if(Array.isArray(data35)){if(data35.length>2e3){let err79={
instancePath:instancePath+"/user_ids",schemaPath:"#/properties/user_ids/maxItems",keyword:"maxItems",params:{limit:2e3},
message:"must NOT have more than 2000 items"};vErrors===null?vErrors=[err79]:vErrors.push(err79),errors++}let len2=data35.
length;for(let i4=0;i4<len2;i4++){let data36=data35[i4];if(typeof data36=="string"&&!pattern412.test(data36)){let err80={
instancePath:instancePath+"/user_ids/"+i4,schemaPath:"#/properties/user_ids/items/allOf/0/pattern",keyword:"pattern",params:{
pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"},message:'must match pattern "^(?!\\.{1,2}$)\\P{Cs}*$"'};vErrors===null?vErrors=[err80]:
vErrors.push(err80),errors++}if(typeof data36=="string"){if(data36.length>80&&func81(data36)>80){let err81={instancePath:instancePath+
"/user_ids/"+i4,schemaPath:"#/properties/user_ids/items/maxLength",keyword:"maxLength",params:{limit:80},message:"must N\
OT have more than 80 characters"};vErrors===null?vErrors=[err81]:vErrors.push(err81),errors++}if(data36.length<1){let err82={
instancePath:instancePath+"/user_ids/"+i4,schemaPath:"#/properties/user_ids/items/minLength",keyword:"minLength",params:{
limit:1},message:"must NOT have fewer than 1 characters"};vErrors===null?vErrors=[err82]:vErrors.push(err82),errors++}}else{
let err83={instancePath:instancePath+"/user_ids/"+i4,schemaPath:"#/properties/user_ids/items/type",keyword:"type",params:{
type:"string"},message:"must be string"};vErrors===null?vErrors=[err83]:vErrors.push(err83),errors++}}let i5=data35.length,
j2;if(i5>1){let indices2={};for(;i5--;){let item2=data35[i5];if(typeof item2=="string"){if(typeof indices2[item2]=="numb\
er"){j2=indices2[item2];let err84={instancePath:instancePath+"/user_ids",schemaPath:"#/properties/user_ids/uniqueItems",
keyword:"uniqueItems",params:{i:i5,j:j2},message:"must NOT have duplicate items (items ## "+j2+" and "+i5+" are identica\
l)"};vErrors===null?vErrors=[err84]:vErrors.push(err84),errors++;break}indices2[item2]=i5}}}}else{let err85={instancePath:instancePath+
"/user_ids",schemaPath:"#/properties/user_ids/type",keyword:"type",params:{type:"array"},message:"must be array"};vErrors===
null?vErrors=[err85]:vErrors.push(err85),errors++}}if(data.users!==void 0&&func09.call(data,"users")){let data37=data.users;
if(Array.isArray(data37)){if(data37.length>2e3){let err86={instancePath:instancePath+"/users",schemaPath:"#/properties/u\
sers/maxItems",keyword:"maxItems",params:{limit:2e3},message:"must NOT have more than 2000 items"};vErrors===null?vErrors=
[err86]:vErrors.push(err86),errors++}let len3=data37.length;for(let i6=0;i6<len3;i6++){let data38=data37[i6];if(data38&&
typeof data38=="object"&&!Array.isArray(data38)){if(data38.user_id===void 0||!func09.call(data38,"user_id")){let err87={
instancePath:instancePath+"/users/"+i6,schemaPath:"#/properties/users/items/required",keyword:"required",params:{missingProperty:"\
user_id"},message:"must have required property 'user_id'"};vErrors===null?vErrors=[err87]:vErrors.push(err87),errors++}if(data38.
user_id!==void 0&&func09.call(data38,"user_id")){let data39=data38.user_id;if(typeof data39=="string"&&!pattern412.test(
data39)){let err88={instancePath:instancePath+"/users/"+i6+"/user_id",schemaPath:"#/properties/users/items/properties/us\
er_id/allOf/0/pattern",keyword:"pattern",params:{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"},message:'must match pattern "^(?!\\.{\
1,2}$)\\P{Cs}*$"'};vErrors===null?vErrors=[err88]:vErrors.push(err88),errors++}if(typeof data39=="string"){if(data39.length>
80&&func81(data39)>80){let err89={instancePath:instancePath+"/users/"+i6+"/user_id",schemaPath:"#/properties/users/items\
/properties/user_id/maxLength",keyword:"maxLength",params:{limit:80},message:"must NOT have more than 80 characters"};vErrors===
null?vErrors=[err89]:vErrors.push(err89),errors++}if(data39.length<1){let err90={instancePath:instancePath+"/users/"+i6+
"/user_id",schemaPath:"#/properties/users/items/properties/user_id/minLength",keyword:"minLength",params:{limit:1},message:"\
must NOT have fewer than 1 characters"};vErrors===null?vErrors=[err90]:vErrors.push(err90),errors++}}else{let err91={instancePath:instancePath+
"/users/"+i6+"/user_id",schemaPath:"#/properties/users/items/properties/user_id/type",keyword:"type",params:{type:"strin\
g"},message:"must be string"};vErrors===null?vErrors=[err91]:vErrors.push(err91),errors++}}}else{let err92={instancePath:instancePath+
"/users/"+i6,schemaPath:"#/properties/users/items/type",keyword:"type",params:{type:"object"},message:"must be object"};
vErrors===null?vErrors=[err92]:vErrors.push(err92),errors++}}}else{let err93={instancePath:instancePath+"/users",schemaPath:"\
#/properties/users/type",keyword:"type",params:{type:"array"},message:"must be array"};vErrors===null?vErrors=[err93]:vErrors.
push(err93),errors++}}if(data.invitation_status!==void 0&&func09.call(data,"invitation_status")){let data40=data.invitation_status;
if(data40&&typeof data40=="object"&&!Array.isArray(data40))for(let key5 of Object.keys(data40)){let data41=data40[key5];
if(!(data41==="joined"||data41==="invited_by_friend"||data41==="invited_by_non_friend")){let err94={instancePath:instancePath+
"/invitation_status/"+key5.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/invitation_status/additionalP\
roperties/enum",keyword:"enum",params:{allowedValues:schema319.properties.invitation_status.additionalProperties.enum},message:"\
must be equal to one of the allowed values"};vErrors===null?vErrors=[err94]:vErrors.push(err94),errors++}}else{let err95={
instancePath:instancePath+"/invitation_status",schemaPath:"#/properties/invitation_status/type",keyword:"type",params:{type:"\
object"},message:"must be object"};vErrors===null?vErrors=[err95]:vErrors.push(err95),errors++}}if(data.hidden_status!==
void 0&&func09.call(data,"hidden_status")){let data42=data.hidden_status;if(data42&&typeof data42=="object"&&!Array.isArray(
data42))for(let key6 of Object.keys(data42)){let data43=data42[key6];if(!(data43==="unhidden"||data43==="hidden_allow_au\
to_unhide"||data43==="hidden_prevent_auto_unhide")){let err96={instancePath:instancePath+"/hidden_status/"+key6.replace(
/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/hidden_status/additionalProperties/enum",keyword:"enum",params:{
allowedValues:schema319.properties.hidden_status.additionalProperties.enum},message:"must be equal to one of the allowed\
 values"};vErrors===null?vErrors=[err96]:vErrors.push(err96),errors++}}else{let err97={instancePath:instancePath+"/hidde\
n_status",schemaPath:"#/properties/hidden_status/type",keyword:"type",params:{type:"object"},message:"must be object"};vErrors===
null?vErrors=[err97]:vErrors.push(err97),errors++}}if(data.messages!==void 0&&func09.call(data,"messages")){let data44=data.
messages;if(data44&&typeof data44=="object"&&!Array.isArray(data44)){if(data44.file===void 0||!func09.call(data44,"file")){
let err98={instancePath:instancePath+"/messages",schemaPath:"#/properties/messages/required",keyword:"required",params:{
missingProperty:"file"},message:"must have required property 'file'"};vErrors===null?vErrors=[err98]:vErrors.push(err98),
errors++}for(let key7 of Object.keys(data44))if(!(key7==="file"||key7==="mark_as_read")){let err99={instancePath:instancePath+
"/messages",schemaPath:"#/properties/messages/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key7},
message:"must NOT have additional properties"};vErrors===null?vErrors=[err99]:vErrors.push(err99),errors++}if(data44.file!==
void 0&&func09.call(data44,"file")){let data45=data44.file;if(typeof data45=="string"){if(data45.length<1){let err100={instancePath:instancePath+
"/messages/file",schemaPath:"#/properties/messages/properties/file/minLength",keyword:"minLength",params:{limit:1},message:"\
must NOT have fewer than 1 characters"};vErrors===null?vErrors=[err100]:vErrors.push(err100),errors++}}else{let err101={
instancePath:instancePath+"/messages/file",schemaPath:"#/properties/messages/properties/file/type",keyword:"type",params:{
type:"string"},message:"must be string"};vErrors===null?vErrors=[err101]:vErrors.push(err101),errors++}}if(data44.mark_as_read!==
void 0&&func09.call(data44,"mark_as_read")){let data46=data44.mark_as_read,_errs116=errors,valid40=!1,_errs117=errors;if(data46!==
!0){let err102={instancePath:instancePath+"/messages/mark_as_read",schemaPath:"#/properties/messages/properties/mark_as_\
read/anyOf/0/const",keyword:"const",params:{allowedValue:!0},message:"must be equal to constant"};vErrors===null?vErrors=
[err102]:vErrors.push(err102),errors++}var _valid2=_errs117===errors;valid40=valid40||_valid2;let _errs118=errors;if(Array.
isArray(data46)){let len4=data46.length;for(let i7=0;i7<len4;i7++){let data47=data46[i7];if(typeof data47=="string"&&!pattern412.
test(data47)){let err103={instancePath:instancePath+"/messages/mark_as_read/"+i7,schemaPath:"#/properties/messages/prope\
rties/mark_as_read/anyOf/1/items/allOf/0/pattern",keyword:"pattern",params:{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"},message:'\
must match pattern "^(?!\\.{1,2}$)\\P{Cs}*$"'};vErrors===null?vErrors=[err103]:vErrors.push(err103),errors++}if(typeof data47==
"string"){if(data47.length>80&&func81(data47)>80){let err104={instancePath:instancePath+"/messages/mark_as_read/"+i7,schemaPath:"\
#/properties/messages/properties/mark_as_read/anyOf/1/items/maxLength",keyword:"maxLength",params:{limit:80},message:"mu\
st NOT have more than 80 characters"};vErrors===null?vErrors=[err104]:vErrors.push(err104),errors++}if(data47.length<1){
let err105={instancePath:instancePath+"/messages/mark_as_read/"+i7,schemaPath:"#/properties/messages/properties/mark_as_\
read/anyOf/1/items/minLength",keyword:"minLength",params:{limit:1},message:"must NOT have fewer than 1 characters"};vErrors===
null?vErrors=[err105]:vErrors.push(err105),errors++}}else{let err106={instancePath:instancePath+"/messages/mark_as_read/"+
i7,schemaPath:"#/properties/messages/properties/mark_as_read/anyOf/1/items/type",keyword:"type",params:{type:"string"},message:"\
must be string"};vErrors===null?vErrors=[err106]:vErrors.push(err106),errors++}}let i8=data46.length,j3;if(i8>1){let indices3={};
for(;i8--;){let item3=data46[i8];if(typeof item3=="string"){if(typeof indices3[item3]=="number"){j3=indices3[item3];let err107={
instancePath:instancePath+"/messages/mark_as_read",schemaPath:"#/properties/messages/properties/mark_as_read/anyOf/1/uni\
queItems",keyword:"uniqueItems",params:{i:i8,j:j3},message:"must NOT have duplicate items (items ## "+j3+" and "+i8+" ar\
e identical)"};vErrors===null?vErrors=[err107]:vErrors.push(err107),errors++;break}indices3[item3]=i8}}}}else{let err108={
instancePath:instancePath+"/messages/mark_as_read",schemaPath:"#/properties/messages/properties/mark_as_read/anyOf/1/typ\
e",keyword:"type",params:{type:"array"},message:"must be array"};vErrors===null?vErrors=[err108]:vErrors.push(err108),errors++}
var _valid2=_errs118===errors;if(valid40=valid40||_valid2,valid40)errors=_errs116,vErrors!==null&&(_errs116?vErrors.length=
_errs116:vErrors=null);else{let err109={instancePath:instancePath+"/messages/mark_as_read",schemaPath:"#/properties/mess\
ages/properties/mark_as_read/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};vErrors===null?vErrors=
[err109]:vErrors.push(err109),errors++}}}else{let err110={instancePath:instancePath+"/messages",schemaPath:"#/properties\
/messages/type",keyword:"type",params:{type:"object"},message:"must be object"};vErrors===null?vErrors=[err110]:vErrors.
push(err110),errors++}}if(data.lifecycle!==void 0&&func09.call(data,"lifecycle")){let data48=data.lifecycle;if(data48&&typeof data48==
"object"&&!Array.isArray(data48)){for(let key8 of Object.keys(data48))if(!(key8==="protect"||key8==="ignore_changes"||key8===
"on_remove")){let err111={instancePath:instancePath+"/lifecycle",schemaPath:"#/properties/lifecycle/additionalProperties",
keyword:"additionalProperties",params:{additionalProperty:key8},message:"must NOT have additional properties"};vErrors===
null?vErrors=[err111]:vErrors.push(err111),errors++}if(data48.protect!==void 0&&func09.call(data48,"protect")&&typeof data48.
protect!="boolean"){let err112={instancePath:instancePath+"/lifecycle/protect",schemaPath:"#/properties/lifecycle/proper\
ties/protect/type",keyword:"type",params:{type:"boolean"},message:"must be boolean"};vErrors===null?vErrors=[err112]:vErrors.
push(err112),errors++}if(data48.ignore_changes!==void 0&&func09.call(data48,"ignore_changes")){let data50=data48.ignore_changes;
if(Array.isArray(data50)){let len5=data50.length;for(let i9=0;i9<len5;i9++){let data51=data50[i9];if(!(data51==="name"||
data51==="cover_url"||data51==="cover_file"||data51==="custom_type"||data51==="data"||data51==="is_ephemeral"||data51===
"members"||data51==="members_mode"||data51==="operators"||data51==="operators_mode"||data51==="is_distinct"||data51==="i\
s_public"||data51==="is_super"||data51==="access_code"||data51==="inviter_id"||data51==="strict"||data51==="block_sdk_us\
er_channel_join"||data51==="frozen")){let err113={instancePath:instancePath+"/lifecycle/ignore_changes/"+i9,schemaPath:"\
#/properties/lifecycle/properties/ignore_changes/items/enum",keyword:"enum",params:{allowedValues:schema319.properties.lifecycle.
properties.ignore_changes.items.enum},message:"must be equal to one of the allowed values"};vErrors===null?vErrors=[err113]:
vErrors.push(err113),errors++}}let i10=data50.length,j4;if(i10>1){outer0:for(;i10--;)for(j4=i10;j4--;)if(func276(data50[i10],
data50[j4])){let err114={instancePath:instancePath+"/lifecycle/ignore_changes",schemaPath:"#/properties/lifecycle/proper\
ties/ignore_changes/uniqueItems",keyword:"uniqueItems",params:{i:i10,j:j4},message:"must NOT have duplicate items (items\
 ## "+j4+" and "+i10+" are identical)"};vErrors===null?vErrors=[err114]:vErrors.push(err114),errors++;break outer0}}}else{
let err115={instancePath:instancePath+"/lifecycle/ignore_changes",schemaPath:"#/properties/lifecycle/properties/ignore_c\
hanges/type",keyword:"type",params:{type:"array"},message:"must be array"};vErrors===null?vErrors=[err115]:vErrors.push(
err115),errors++}}if(data48.on_remove!==void 0&&func09.call(data48,"on_remove")){let data52=data48.on_remove;if(!(data52===
"freeze"||data52==="delete"||data52==="forget")){let err116={instancePath:instancePath+"/lifecycle/on_remove",schemaPath:"\
#/properties/lifecycle/properties/on_remove/enum",keyword:"enum",params:{allowedValues:schema319.properties.lifecycle.properties.
on_remove.enum},message:"must be equal to one of the allowed values"};vErrors===null?vErrors=[err116]:vErrors.push(err116),
errors++}}}else{let err117={instancePath:instancePath+"/lifecycle",schemaPath:"#/properties/lifecycle/type",keyword:"typ\
e",params:{type:"object"},message:"must be object"};vErrors===null?vErrors=[err117]:vErrors.push(err117),errors++}}}else{
let err118={instancePath,schemaPath:"#/type",keyword:"type",params:{type:"object"},message:"must be object"};vErrors===null?
vErrors=[err118]:vErrors.push(err118),errors++}return validate2012.errors=vErrors,errors===0}validate2012.evaluated={props:!0,
dynamicProps:!1,dynamicItems:!1};var group_channel_defaults_default=validate2013,schema3110={type:"object",properties:{name:{type:"string",maxLength:191},
cover_url:{type:"string",maxLength:2048},cover_file:{type:"string",minLength:1,"x-file":{maxBytes:5e6,types:["image/png",
"image/jpeg"]}},custom_type:{type:"string",maxLength:128},data:{type:"string"},is_ephemeral:{type:"boolean"},members:{type:"\
object",propertyNames:{type:"string",minLength:1,maxLength:80,allOf:[{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"}]},additionalProperties:{
type:["object","null"],properties:{invitation_status:{enum:["joined","invited_by_friend","invited_by_non_friend"]},hidden_status:{
enum:["unhidden","hidden_allow_auto_unhide","hidden_prevent_auto_unhide"]}},additionalProperties:!1}},members_mode:{enum:[
"additive","exclusive"]},operators:{type:"array",items:{type:"string",minLength:1,maxLength:80,allOf:[{pattern:"^(?!\\.{1\
,2}$)\\P{Cs}*$"},{pattern:"^[^,]*$"}]},uniqueItems:!0,maxItems:100},operators_mode:{enum:["additive","exclusive"]},is_distinct:{
type:"boolean"},is_public:{type:"boolean"},is_super:{type:"boolean"},access_code:{type:"object",properties:{env:{type:"s\
tring",pattern:"^[A-Z][A-Z0-9_]*$"},revision:{type:"integer",minimum:1}},required:["env","revision"],additionalProperties:!1},
inviter_id:{type:"string",minLength:1,maxLength:80,allOf:[{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"}]},strict:{type:"boolean"},
block_sdk_user_channel_join:{type:"boolean"},frozen:{type:"boolean"},operator_ids:{deprecated:!0,type:"array",items:{type:"\
string",minLength:1,maxLength:80,allOf:[{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"},{pattern:"^[^,]*$"}]},uniqueItems:!0,maxItems:100},
user_ids:{deprecated:!0,type:"array",items:{type:"string",minLength:1,maxLength:80,allOf:[{pattern:"^(?!\\.{1,2}$)\\P{Cs}*\
$"}]},uniqueItems:!0,maxItems:2e3},users:{deprecated:!0,type:"array",maxItems:2e3,items:{type:"object",properties:{user_id:{
type:"string",minLength:1,maxLength:80,allOf:[{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"}]}},required:["user_id"]}},invitation_status:{
deprecated:!0,type:"object",additionalProperties:{enum:["joined","invited_by_friend","invited_by_non_friend"]}},hidden_status:{
deprecated:!0,type:"object",additionalProperties:{enum:["unhidden","hidden_allow_auto_unhide","hidden_prevent_auto_unhid\
e"]}},messages:{type:"object",required:["file"],properties:{file:{type:"string",minLength:1},mark_as_read:{anyOf:[{const:!0},
{type:"array",items:{type:"string",minLength:1,maxLength:80,allOf:[{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"}]},uniqueItems:!0}]}},
additionalProperties:!1},lifecycle:{type:"object",properties:{protect:{type:"boolean"},ignore_changes:{type:"array",items:{
enum:["name","cover_url","cover_file","custom_type","data","is_ephemeral","members","members_mode","operators","operator\
s_mode","is_distinct","is_public","is_super","access_code","inviter_id","strict","block_sdk_user_channel_join","frozen"]},
uniqueItems:!0},on_remove:{enum:["freeze","delete","forget"]}},additionalProperties:!1}},additionalProperties:!1},func010=Object.
prototype.hasOwnProperty,func623=require_ucs2length().default,func277=require_equal().default,pattern413=new RegExp("^(?\
!\\.{1,2}$)\\P{Cs}*$","u"),pattern63=new RegExp("^[^,]*$","u"),pattern73=new RegExp("^[A-Z][A-Z0-9_]*$","u");function validate2013(data,{
instancePath="",parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){let vErrors=null,errors=0,evaluated0=validate2013.
evaluated;if(evaluated0.dynamicProps&&(evaluated0.props=void 0),evaluated0.dynamicItems&&(evaluated0.items=void 0),data&&
typeof data=="object"&&!Array.isArray(data)){for(let key0 of Object.keys(data))if(!func010.call(schema3110.properties,key0)){
let err0={instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key0},
message:"must NOT have additional properties"};vErrors===null?vErrors=[err0]:vErrors.push(err0),errors++}if(data.name!==
void 0&&func010.call(data,"name")){let data0=data.name;if(typeof data0=="string"){if(data0.length>191&&func623(data0)>191){
let err1={instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit:191},
message:"must NOT have more than 191 characters"};vErrors===null?vErrors=[err1]:vErrors.push(err1),errors++}}else{let err2={
instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type:"string"},message:"mus\
t be string"};vErrors===null?vErrors=[err2]:vErrors.push(err2),errors++}}if(data.cover_url!==void 0&&func010.call(data,"\
cover_url")){let data1=data.cover_url;if(typeof data1=="string"){if(data1.length>2048&&func623(data1)>2048){let err3={instancePath:instancePath+
"/cover_url",schemaPath:"#/properties/cover_url/maxLength",keyword:"maxLength",params:{limit:2048},message:"must NOT hav\
e more than 2048 characters"};vErrors===null?vErrors=[err3]:vErrors.push(err3),errors++}}else{let err4={instancePath:instancePath+
"/cover_url",schemaPath:"#/properties/cover_url/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===
null?vErrors=[err4]:vErrors.push(err4),errors++}}if(data.cover_file!==void 0&&func010.call(data,"cover_file")){let data2=data.
cover_file;if(typeof data2=="string"){if(data2.length<1){let err5={instancePath:instancePath+"/cover_file",schemaPath:"#\
/properties/cover_file/minLength",keyword:"minLength",params:{limit:1},message:"must NOT have fewer than 1 characters"};
vErrors===null?vErrors=[err5]:vErrors.push(err5),errors++}}else{let err6={instancePath:instancePath+"/cover_file",schemaPath:"\
#/properties/cover_file/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err6]:
vErrors.push(err6),errors++}}if(data.custom_type!==void 0&&func010.call(data,"custom_type")){let data3=data.custom_type;
if(typeof data3=="string"){if(data3.length>128&&func623(data3)>128){let err7={instancePath:instancePath+"/custom_type",schemaPath:"\
#/properties/custom_type/maxLength",keyword:"maxLength",params:{limit:128},message:"must NOT have more than 128 characte\
rs"};vErrors===null?vErrors=[err7]:vErrors.push(err7),errors++}}else{let err8={instancePath:instancePath+"/custom_type",
schemaPath:"#/properties/custom_type/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?
vErrors=[err8]:vErrors.push(err8),errors++}}if(data.data!==void 0&&func010.call(data,"data")&&typeof data.data!="string"){
let err9={instancePath:instancePath+"/data",schemaPath:"#/properties/data/type",keyword:"type",params:{type:"string"},message:"\
must be string"};vErrors===null?vErrors=[err9]:vErrors.push(err9),errors++}if(data.is_ephemeral!==void 0&&func010.call(data,
"is_ephemeral")&&typeof data.is_ephemeral!="boolean"){let err10={instancePath:instancePath+"/is_ephemeral",schemaPath:"#\
/properties/is_ephemeral/type",keyword:"type",params:{type:"boolean"},message:"must be boolean"};vErrors===null?vErrors=
[err10]:vErrors.push(err10),errors++}if(data.members!==void 0&&func010.call(data,"members")){let data6=data.members;if(data6&&
typeof data6=="object"&&!Array.isArray(data6)){for(let key1 of Object.keys(data6)){let _errs16=errors;if(typeof key1=="s\
tring"&&!pattern413.test(key1)){let err11={instancePath:instancePath+"/members",schemaPath:"#/properties/members/propert\
yNames/allOf/0/pattern",keyword:"pattern",params:{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"},message:'must match pattern "^(?!\\.\
{1,2}$)\\P{Cs}*$"',propertyName:key1};vErrors===null?vErrors=[err11]:vErrors.push(err11),errors++}if(typeof key1=="strin\
g"){if(key1.length>80&&func623(key1)>80){let err12={instancePath:instancePath+"/members",schemaPath:"#/properties/member\
s/propertyNames/maxLength",keyword:"maxLength",params:{limit:80},message:"must NOT have more than 80 characters",propertyName:key1};
vErrors===null?vErrors=[err12]:vErrors.push(err12),errors++}if(key1.length<1){let err13={instancePath:instancePath+"/mem\
bers",schemaPath:"#/properties/members/propertyNames/minLength",keyword:"minLength",params:{limit:1},message:"must NOT h\
ave fewer than 1 characters",propertyName:key1};vErrors===null?vErrors=[err13]:vErrors.push(err13),errors++}}else{let err14={
instancePath:instancePath+"/members",schemaPath:"#/properties/members/propertyNames/type",keyword:"type",params:{type:"s\
tring"},message:"must be string",propertyName:key1};vErrors===null?vErrors=[err14]:vErrors.push(err14),errors++}var valid1=_errs16===
errors;if(!valid1){let err15={instancePath:instancePath+"/members",schemaPath:"#/properties/members/propertyNames",keyword:"\
propertyNames",params:{propertyName:key1},message:"property name must be valid"};vErrors===null?vErrors=[err15]:vErrors.
push(err15),errors++}}for(let key2 of Object.keys(data6)){let data7=data6[key2];if(!(data7&&typeof data7=="object"&&!Array.
isArray(data7))&&data7!==null){let err16={instancePath:instancePath+"/members/"+key2.replace(/~/g,"~0").replace(/\//g,"~\
1"),schemaPath:"#/properties/members/additionalProperties/type",keyword:"type",params:{type:schema3110.properties.members.
additionalProperties.type},message:"must be object,null"};vErrors===null?vErrors=[err16]:vErrors.push(err16),errors++}if(data7&&
typeof data7=="object"&&!Array.isArray(data7)){for(let key3 of Object.keys(data7))if(!(key3==="invitation_status"||key3===
"hidden_status")){let err17={instancePath:instancePath+"/members/"+key2.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"\
#/properties/members/additionalProperties/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key3},
message:"must NOT have additional properties"};vErrors===null?vErrors=[err17]:vErrors.push(err17),errors++}if(data7.invitation_status!==
void 0&&func010.call(data7,"invitation_status")){let data8=data7.invitation_status;if(!(data8==="joined"||data8==="invit\
ed_by_friend"||data8==="invited_by_non_friend")){let err18={instancePath:instancePath+"/members/"+key2.replace(/~/g,"~0").
replace(/\//g,"~1")+"/invitation_status",schemaPath:"#/properties/members/additionalProperties/properties/invitation_sta\
tus/enum",keyword:"enum",params:{allowedValues:schema3110.properties.members.additionalProperties.properties.invitation_status.
enum},message:"must be equal to one of the allowed values"};vErrors===null?vErrors=[err18]:vErrors.push(err18),errors++}}
if(data7.hidden_status!==void 0&&func010.call(data7,"hidden_status")){let data9=data7.hidden_status;if(!(data9==="unhidd\
en"||data9==="hidden_allow_auto_unhide"||data9==="hidden_prevent_auto_unhide")){let err19={instancePath:instancePath+"/m\
embers/"+key2.replace(/~/g,"~0").replace(/\//g,"~1")+"/hidden_status",schemaPath:"#/properties/members/additionalPropert\
ies/properties/hidden_status/enum",keyword:"enum",params:{allowedValues:schema3110.properties.members.additionalProperties.
properties.hidden_status.enum},message:"must be equal to one of the allowed values"};vErrors===null?vErrors=[err19]:vErrors.
push(err19),errors++}}}}}else{let err20={instancePath:instancePath+"/members",schemaPath:"#/properties/members/type",keyword:"\
type",params:{type:"object"},message:"must be object"};vErrors===null?vErrors=[err20]:vErrors.push(err20),errors++}}if(data.
members_mode!==void 0&&func010.call(data,"members_mode")){let data10=data.members_mode;if(!(data10==="additive"||data10===
"exclusive")){let err21={instancePath:instancePath+"/members_mode",schemaPath:"#/properties/members_mode/enum",keyword:"\
enum",params:{allowedValues:schema3110.properties.members_mode.enum},message:"must be equal to one of the allowed values"};
vErrors===null?vErrors=[err21]:vErrors.push(err21),errors++}}if(data.operators!==void 0&&func010.call(data,"operators")){
let data11=data.operators;if(Array.isArray(data11)){if(data11.length>100){let err22={instancePath:instancePath+"/operato\
rs",schemaPath:"#/properties/operators/maxItems",keyword:"maxItems",params:{limit:100},message:"must NOT have more than \
100 items"};vErrors===null?vErrors=[err22]:vErrors.push(err22),errors++}let len0=data11.length;for(let i0=0;i0<len0;i0++){
let data12=data11[i0];if(typeof data12=="string"&&!pattern413.test(data12)){let err23={instancePath:instancePath+"/opera\
tors/"+i0,schemaPath:"#/properties/operators/items/allOf/0/pattern",keyword:"pattern",params:{pattern:"^(?!\\.{1,2}$)\\P{C\
s}*$"},message:'must match pattern "^(?!\\.{1,2}$)\\P{Cs}*$"'};vErrors===null?vErrors=[err23]:vErrors.push(err23),errors++}
if(typeof data12=="string"&&!pattern63.test(data12)){let err24={instancePath:instancePath+"/operators/"+i0,schemaPath:"#\
/properties/operators/items/allOf/1/pattern",keyword:"pattern",params:{pattern:"^[^,]*$"},message:'must match pattern "^\
[^,]*$"'};vErrors===null?vErrors=[err24]:vErrors.push(err24),errors++}if(typeof data12=="string"){if(data12.length>80&&func623(
data12)>80){let err25={instancePath:instancePath+"/operators/"+i0,schemaPath:"#/properties/operators/items/maxLength",keyword:"\
maxLength",params:{limit:80},message:"must NOT have more than 80 characters"};vErrors===null?vErrors=[err25]:vErrors.push(
err25),errors++}if(data12.length<1){let err26={instancePath:instancePath+"/operators/"+i0,schemaPath:"#/properties/opera\
tors/items/minLength",keyword:"minLength",params:{limit:1},message:"must NOT have fewer than 1 characters"};vErrors===null?
vErrors=[err26]:vErrors.push(err26),errors++}}else{let err27={instancePath:instancePath+"/operators/"+i0,schemaPath:"#/p\
roperties/operators/items/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[
err27]:vErrors.push(err27),errors++}}let i1=data11.length,j0;if(i1>1){let indices0={};for(;i1--;){let item0=data11[i1];if(typeof item0==
"string"){if(typeof indices0[item0]=="number"){j0=indices0[item0];let err28={instancePath:instancePath+"/operators",schemaPath:"\
#/properties/operators/uniqueItems",keyword:"uniqueItems",params:{i:i1,j:j0},message:"must NOT have duplicate items (ite\
ms ## "+j0+" and "+i1+" are identical)"};vErrors===null?vErrors=[err28]:vErrors.push(err28),errors++;break}indices0[item0]=
i1}}}}else{let err29={instancePath:instancePath+"/operators",schemaPath:"#/properties/operators/type",keyword:"type",params:{
type:"array"},message:"must be array"};vErrors===null?vErrors=[err29]:vErrors.push(err29),errors++}}if(data.operators_mode!==
void 0&&func010.call(data,"operators_mode")){let data13=data.operators_mode;if(!(data13==="additive"||data13==="exclusiv\
e")){let err30={instancePath:instancePath+"/operators_mode",schemaPath:"#/properties/operators_mode/enum",keyword:"enum",
params:{allowedValues:schema3110.properties.operators_mode.enum},message:"must be equal to one of the allowed values"};vErrors===
null?vErrors=[err30]:vErrors.push(err30),errors++}}if(data.is_distinct!==void 0&&func010.call(data,"is_distinct")&&typeof data.
is_distinct!="boolean"){let err31={instancePath:instancePath+"/is_distinct",schemaPath:"#/properties/is_distinct/type",keyword:"\
type",params:{type:"boolean"},message:"must be boolean"};vErrors===null?vErrors=[err31]:vErrors.push(err31),errors++}if(data.
is_public!==void 0&&func010.call(data,"is_public")&&typeof data.is_public!="boolean"){let err32={instancePath:instancePath+
"/is_public",schemaPath:"#/properties/is_public/type",keyword:"type",params:{type:"boolean"},message:"must be boolean"};
vErrors===null?vErrors=[err32]:vErrors.push(err32),errors++}if(data.is_super!==void 0&&func010.call(data,"is_super")&&typeof data.
is_super!="boolean"){let err33={instancePath:instancePath+"/is_super",schemaPath:"#/properties/is_super/type",keyword:"t\
ype",params:{type:"boolean"},message:"must be boolean"};vErrors===null?vErrors=[err33]:vErrors.push(err33),errors++}if(data.
access_code!==void 0&&func010.call(data,"access_code")){let data17=data.access_code;if(data17&&typeof data17=="object"&&
!Array.isArray(data17)){if(data17.env===void 0||!func010.call(data17,"env")){let err34={instancePath:instancePath+"/acce\
ss_code",schemaPath:"#/properties/access_code/required",keyword:"required",params:{missingProperty:"env"},message:"must \
have required property 'env'"};vErrors===null?vErrors=[err34]:vErrors.push(err34),errors++}if(data17.revision===void 0||
!func010.call(data17,"revision")){let err35={instancePath:instancePath+"/access_code",schemaPath:"#/properties/access_co\
de/required",keyword:"required",params:{missingProperty:"revision"},message:"must have required property 'revision'"};vErrors===
null?vErrors=[err35]:vErrors.push(err35),errors++}for(let key4 of Object.keys(data17))if(!(key4==="env"||key4==="revisio\
n")){let err36={instancePath:instancePath+"/access_code",schemaPath:"#/properties/access_code/additionalProperties",keyword:"\
additionalProperties",params:{additionalProperty:key4},message:"must NOT have additional properties"};vErrors===null?vErrors=
[err36]:vErrors.push(err36),errors++}if(data17.env!==void 0&&func010.call(data17,"env")){let data18=data17.env;if(typeof data18==
"string"){if(!pattern73.test(data18)){let err37={instancePath:instancePath+"/access_code/env",schemaPath:"#/properties/a\
ccess_code/properties/env/pattern",keyword:"pattern",params:{pattern:"^[A-Z][A-Z0-9_]*$"},message:'must match pattern "^\
[A-Z][A-Z0-9_]*$"'};vErrors===null?vErrors=[err37]:vErrors.push(err37),errors++}}else{let err38={instancePath:instancePath+
"/access_code/env",schemaPath:"#/properties/access_code/properties/env/type",keyword:"type",params:{type:"string"},message:"\
must be string"};vErrors===null?vErrors=[err38]:vErrors.push(err38),errors++}}if(data17.revision!==void 0&&func010.call(
data17,"revision")){let data19=data17.revision;if(!(typeof data19=="number"&&!(data19%1)&&!isNaN(data19)&&isFinite(data19))){
let err39={instancePath:instancePath+"/access_code/revision",schemaPath:"#/properties/access_code/properties/revision/ty\
pe",keyword:"type",params:{type:"integer"},message:"must be integer"};vErrors===null?vErrors=[err39]:vErrors.push(err39),
errors++}if(typeof data19=="number"&&isFinite(data19)&&(data19<1||isNaN(data19))){let err40={instancePath:instancePath+"\
/access_code/revision",schemaPath:"#/properties/access_code/properties/revision/minimum",keyword:"minimum",params:{comparison:"\
>=",limit:1},message:"must be >= 1"};vErrors===null?vErrors=[err40]:vErrors.push(err40),errors++}}}else{let err41={instancePath:instancePath+
"/access_code",schemaPath:"#/properties/access_code/type",keyword:"type",params:{type:"object"},message:"must be object"};
vErrors===null?vErrors=[err41]:vErrors.push(err41),errors++}}if(data.inviter_id!==void 0&&func010.call(data,"inviter_id")){
let data20=data.inviter_id;if(typeof data20=="string"&&!pattern413.test(data20)){let err42={instancePath:instancePath+"/\
inviter_id",schemaPath:"#/properties/inviter_id/allOf/0/pattern",keyword:"pattern",params:{pattern:"^(?!\\.{1,2}$)\\P{Cs}*\
$"},message:'must match pattern "^(?!\\.{1,2}$)\\P{Cs}*$"'};vErrors===null?vErrors=[err42]:vErrors.push(err42),errors++}
if(typeof data20=="string"){if(data20.length>80&&func623(data20)>80){let err43={instancePath:instancePath+"/inviter_id",
schemaPath:"#/properties/inviter_id/maxLength",keyword:"maxLength",params:{limit:80},message:"must NOT have more than 80\
 characters"};vErrors===null?vErrors=[err43]:vErrors.push(err43),errors++}if(data20.length<1){let err44={instancePath:instancePath+
"/inviter_id",schemaPath:"#/properties/inviter_id/minLength",keyword:"minLength",params:{limit:1},message:"must NOT have\
 fewer than 1 characters"};vErrors===null?vErrors=[err44]:vErrors.push(err44),errors++}}else{let err45={instancePath:instancePath+
"/inviter_id",schemaPath:"#/properties/inviter_id/type",keyword:"type",params:{type:"string"},message:"must be string"};
vErrors===null?vErrors=[err45]:vErrors.push(err45),errors++}}if(data.strict!==void 0&&func010.call(data,"strict")&&typeof data.
strict!="boolean"){let err46={instancePath:instancePath+"/strict",schemaPath:"#/properties/strict/type",keyword:"type",params:{
type:"boolean"},message:"must be boolean"};vErrors===null?vErrors=[err46]:vErrors.push(err46),errors++}if(data.block_sdk_user_channel_join!==
void 0&&func010.call(data,"block_sdk_user_channel_join")&&typeof data.block_sdk_user_channel_join!="boolean"){let err47={
instancePath:instancePath+"/block_sdk_user_channel_join",schemaPath:"#/properties/block_sdk_user_channel_join/type",keyword:"\
type",params:{type:"boolean"},message:"must be boolean"};vErrors===null?vErrors=[err47]:vErrors.push(err47),errors++}if(data.
frozen!==void 0&&func010.call(data,"frozen")&&typeof data.frozen!="boolean"){let err48={instancePath:instancePath+"/froz\
en",schemaPath:"#/properties/frozen/type",keyword:"type",params:{type:"boolean"},message:"must be boolean"};vErrors===null?
vErrors=[err48]:vErrors.push(err48),errors++}if(data.operator_ids!==void 0&&func010.call(data,"operator_ids")){let data24=data.
operator_ids;if(Array.isArray(data24)){if(data24.length>100){let err49={instancePath:instancePath+"/operator_ids",schemaPath:"\
#/properties/operator_ids/maxItems",keyword:"maxItems",params:{limit:100},message:"must NOT have more than 100 items"};vErrors===
null?vErrors=[err49]:vErrors.push(err49),errors++}let len1=data24.length;for(let i2=0;i2<len1;i2++){let data25=data24[i2];
if(typeof data25=="string"&&!pattern413.test(data25)){let err50={instancePath:instancePath+"/operator_ids/"+i2,schemaPath:"\
#/properties/operator_ids/items/allOf/0/pattern",keyword:"pattern",params:{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"},message:'m\
ust match pattern "^(?!\\.{1,2}$)\\P{Cs}*$"'};vErrors===null?vErrors=[err50]:vErrors.push(err50),errors++}if(typeof data25==
"string"&&!pattern63.test(data25)){let err51={instancePath:instancePath+"/operator_ids/"+i2,schemaPath:"#/properties/ope\
rator_ids/items/allOf/1/pattern",keyword:"pattern",params:{pattern:"^[^,]*$"},message:'must match pattern "^[^,]*$"'};vErrors===
null?vErrors=[err51]:vErrors.push(err51),errors++}if(typeof data25=="string"){if(data25.length>80&&func623(data25)>80){let err52={
instancePath:instancePath+"/operator_ids/"+i2,schemaPath:"#/properties/operator_ids/items/maxLength",keyword:"maxLength",
params:{limit:80},message:"must NOT have more than 80 characters"};vErrors===null?vErrors=[err52]:vErrors.push(err52),errors++}
if(data25.length<1){let err53={instancePath:instancePath+"/operator_ids/"+i2,schemaPath:"#/properties/operator_ids/items\
/minLength",keyword:"minLength",params:{limit:1},message:"must NOT have fewer than 1 characters"};vErrors===null?vErrors=
[err53]:vErrors.push(err53),errors++}}else{let err54={instancePath:instancePath+"/operator_ids/"+i2,schemaPath:"#/proper\
ties/operator_ids/items/type",keyword:"type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err54]:
vErrors.push(err54),errors++}}let i3=data24.length,j1;if(i3>1){let indices1={};for(;i3--;){let item1=data24[i3];if(typeof item1==
"string"){if(typeof indices1[item1]=="number"){j1=indices1[item1];let err55={instancePath:instancePath+"/operator_ids",schemaPath:"\
#/properties/operator_ids/uniqueItems",keyword:"uniqueItems",params:{i:i3,j:j1},message:"must NOT have duplicate items (\
items ## "+j1+" and "+i3+" are identical)"};vErrors===null?vErrors=[err55]:vErrors.push(err55),errors++;break}indices1[item1]=
i3}}}}else{let err56={instancePath:instancePath+"/operator_ids",schemaPath:"#/properties/operator_ids/type",keyword:"typ\
e",params:{type:"array"},message:"must be array"};vErrors===null?vErrors=[err56]:vErrors.push(err56),errors++}}if(data.user_ids!==
void 0&&func010.call(data,"user_ids")){let data26=data.user_ids;if(Array.isArray(data26)){if(data26.length>2e3){let err57={
instancePath:instancePath+"/user_ids",schemaPath:"#/properties/user_ids/maxItems",keyword:"maxItems",params:{limit:2e3},
message:"must NOT have more than 2000 items"};vErrors===null?vErrors=[err57]:vErrors.push(err57),errors++}let len2=data26.
length;for(let i4=0;i4<len2;i4++){let data27=data26[i4];if(typeof data27=="string"&&!pattern413.test(data27)){let err58={
instancePath:instancePath+"/user_ids/"+i4,schemaPath:"#/properties/user_ids/items/allOf/0/pattern",keyword:"pattern",params:{
pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"},message:'must match pattern "^(?!\\.{1,2}$)\\P{Cs}*$"'};vErrors===null?vErrors=[err58]:
vErrors.push(err58),errors++}if(typeof data27=="string"){if(data27.length>80&&func623(data27)>80){let err59={instancePath:instancePath+
"/user_ids/"+i4,schemaPath:"#/properties/user_ids/items/maxLength",keyword:"maxLength",params:{limit:80},message:"must N\
OT have more than 80 characters"};vErrors===null?vErrors=[err59]:vErrors.push(err59),errors++}if(data27.length<1){let err60={
instancePath:instancePath+"/user_ids/"+i4,schemaPath:"#/properties/user_ids/items/minLength",keyword:"minLength",params:{
limit:1},message:"must NOT have fewer than 1 characters"};vErrors===null?vErrors=[err60]:vErrors.push(err60),errors++}}else{
let err61={instancePath:instancePath+"/user_ids/"+i4,schemaPath:"#/properties/user_ids/items/type",keyword:"type",params:{
type:"string"},message:"must be string"};vErrors===null?vErrors=[err61]:vErrors.push(err61),errors++}}let i5=data26.length,
j2;if(i5>1){let indices2={};for(;i5--;){let item2=data26[i5];if(typeof item2=="string"){if(typeof indices2[item2]=="numb\
er"){j2=indices2[item2];let err62={instancePath:instancePath+"/user_ids",schemaPath:"#/properties/user_ids/uniqueItems",
keyword:"uniqueItems",params:{i:i5,j:j2},message:"must NOT have duplicate items (items ## "+j2+" and "+i5+" are identica\
l)"};vErrors===null?vErrors=[err62]:vErrors.push(err62),errors++;break}indices2[item2]=i5}}}}else{let err63={instancePath:instancePath+
"/user_ids",schemaPath:"#/properties/user_ids/type",keyword:"type",params:{type:"array"},message:"must be array"};vErrors===
null?vErrors=[err63]:vErrors.push(err63),errors++}}if(data.users!==void 0&&func010.call(data,"users")){let data28=data.users;
if(Array.isArray(data28)){if(data28.length>2e3){let err64={instancePath:instancePath+"/users",schemaPath:"#/properties/u\
sers/maxItems",keyword:"maxItems",params:{limit:2e3},message:"must NOT have more than 2000 items"};vErrors===null?vErrors=
[err64]:vErrors.push(err64),errors++}let len3=data28.length;for(let i6=0;i6<len3;i6++){let data29=data28[i6];if(data29&&
typeof data29=="object"&&!Array.isArray(data29)){if(data29.user_id===void 0||!func010.call(data29,"user_id")){let err65={
instancePath:instancePath+"/users/"+i6,schemaPath:"#/properties/users/items/required",keyword:"required",params:{missingProperty:"\
user_id"},message:"must have required property 'user_id'"};vErrors===null?vErrors=[err65]:vErrors.push(err65),errors++}if(data29.
user_id!==void 0&&func010.call(data29,"user_id")){let data30=data29.user_id;if(typeof data30=="string"&&!pattern413.test(
data30)){let err66={instancePath:instancePath+"/users/"+i6+"/user_id",schemaPath:"#/properties/users/items/properties/us\
er_id/allOf/0/pattern",keyword:"pattern",params:{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"},message:'must match pattern "^(?!\\.{\
1,2}$)\\P{Cs}*$"'};vErrors===null?vErrors=[err66]:vErrors.push(err66),errors++}if(typeof data30=="string"){if(data30.length>
80&&func623(data30)>80){let err67={instancePath:instancePath+"/users/"+i6+"/user_id",schemaPath:"#/properties/users/item\
s/properties/user_id/maxLength",keyword:"maxLength",params:{limit:80},message:"must NOT have more than 80 characters"};vErrors===
null?vErrors=[err67]:vErrors.push(err67),errors++}if(data30.length<1){let err68={instancePath:instancePath+"/users/"+i6+
"/user_id",schemaPath:"#/properties/users/items/properties/user_id/minLength",keyword:"minLength",params:{limit:1},message:"\
must NOT have fewer than 1 characters"};vErrors===null?vErrors=[err68]:vErrors.push(err68),errors++}}else{let err69={instancePath:instancePath+
"/users/"+i6+"/user_id",schemaPath:"#/properties/users/items/properties/user_id/type",keyword:"type",params:{type:"strin\
g"},message:"must be string"};vErrors===null?vErrors=[err69]:vErrors.push(err69),errors++}}}else{let err70={instancePath:instancePath+
"/users/"+i6,schemaPath:"#/properties/users/items/type",keyword:"type",params:{type:"object"},message:"must be object"};
vErrors===null?vErrors=[err70]:vErrors.push(err70),errors++}}}else{let err71={instancePath:instancePath+"/users",schemaPath:"\
#/properties/users/type",keyword:"type",params:{type:"array"},message:"must be array"};vErrors===null?vErrors=[err71]:vErrors.
push(err71),errors++}}if(data.invitation_status!==void 0&&func010.call(data,"invitation_status")){let data31=data.invitation_status;
if(data31&&typeof data31=="object"&&!Array.isArray(data31))for(let key5 of Object.keys(data31)){let data32=data31[key5];
if(!(data32==="joined"||data32==="invited_by_friend"||data32==="invited_by_non_friend")){let err72={instancePath:instancePath+
"/invitation_status/"+key5.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/invitation_status/additionalP\
roperties/enum",keyword:"enum",params:{allowedValues:schema3110.properties.invitation_status.additionalProperties.enum},
message:"must be equal to one of the allowed values"};vErrors===null?vErrors=[err72]:vErrors.push(err72),errors++}}else{
let err73={instancePath:instancePath+"/invitation_status",schemaPath:"#/properties/invitation_status/type",keyword:"type",
params:{type:"object"},message:"must be object"};vErrors===null?vErrors=[err73]:vErrors.push(err73),errors++}}if(data.hidden_status!==
void 0&&func010.call(data,"hidden_status")){let data33=data.hidden_status;if(data33&&typeof data33=="object"&&!Array.isArray(
data33))for(let key6 of Object.keys(data33)){let data34=data33[key6];if(!(data34==="unhidden"||data34==="hidden_allow_au\
to_unhide"||data34==="hidden_prevent_auto_unhide")){let err74={instancePath:instancePath+"/hidden_status/"+key6.replace(
/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/hidden_status/additionalProperties/enum",keyword:"enum",params:{
allowedValues:schema3110.properties.hidden_status.additionalProperties.enum},message:"must be equal to one of the allowe\
d values"};vErrors===null?vErrors=[err74]:vErrors.push(err74),errors++}}else{let err75={instancePath:instancePath+"/hidd\
en_status",schemaPath:"#/properties/hidden_status/type",keyword:"type",params:{type:"object"},message:"must be object"};
vErrors===null?vErrors=[err75]:vErrors.push(err75),errors++}}if(data.messages!==void 0&&func010.call(data,"messages")){let data35=data.
messages;if(data35&&typeof data35=="object"&&!Array.isArray(data35)){if(data35.file===void 0||!func010.call(data35,"file")){
let err76={instancePath:instancePath+"/messages",schemaPath:"#/properties/messages/required",keyword:"required",params:{
missingProperty:"file"},message:"must have required property 'file'"};vErrors===null?vErrors=[err76]:vErrors.push(err76),
errors++}for(let key7 of Object.keys(data35))if(!(key7==="file"||key7==="mark_as_read")){let err77={instancePath:instancePath+
"/messages",schemaPath:"#/properties/messages/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key7},
message:"must NOT have additional properties"};vErrors===null?vErrors=[err77]:vErrors.push(err77),errors++}if(data35.file!==
void 0&&func010.call(data35,"file")){let data36=data35.file;if(typeof data36=="string"){if(data36.length<1){let err78={instancePath:instancePath+
"/messages/file",schemaPath:"#/properties/messages/properties/file/minLength",keyword:"minLength",params:{limit:1},message:"\
must NOT have fewer than 1 characters"};vErrors===null?vErrors=[err78]:vErrors.push(err78),errors++}}else{let err79={instancePath:instancePath+
"/messages/file",schemaPath:"#/properties/messages/properties/file/type",keyword:"type",params:{type:"string"},message:"\
must be string"};vErrors===null?vErrors=[err79]:vErrors.push(err79),errors++}}if(data35.mark_as_read!==void 0&&func010.call(
data35,"mark_as_read")){let data37=data35.mark_as_read,_errs87=errors,valid26=!1,_errs88=errors;if(data37!==!0){let err80={
instancePath:instancePath+"/messages/mark_as_read",schemaPath:"#/properties/messages/properties/mark_as_read/anyOf/0/con\
st",keyword:"const",params:{allowedValue:!0},message:"must be equal to constant"};vErrors===null?vErrors=[err80]:vErrors.
push(err80),errors++}var _valid0=_errs88===errors;valid26=valid26||_valid0;let _errs89=errors;if(Array.isArray(data37)){
let len4=data37.length;for(let i7=0;i7<len4;i7++){let data38=data37[i7];if(typeof data38=="string"&&!pattern413.test(data38)){
let err81={instancePath:instancePath+"/messages/mark_as_read/"+i7,schemaPath:"#/properties/messages/properties/mark_as_r\
ead/anyOf/1/items/allOf/0/pattern",keyword:"pattern",params:{pattern:"^(?!\\.{1,2}$)\\P{Cs}*$"},message:'must match patt\
ern "^(?!\\.{1,2}$)\\P{Cs}*$"'};vErrors===null?vErrors=[err81]:vErrors.push(err81),errors++}if(typeof data38=="string"){
if(data38.length>80&&func623(data38)>80){let err82={instancePath:instancePath+"/messages/mark_as_read/"+i7,schemaPath:"#\
/properties/messages/properties/mark_as_read/anyOf/1/items/maxLength",keyword:"maxLength",params:{limit:80},message:"mus\
t NOT have more than 80 characters"};vErrors===null?vErrors=[err82]:vErrors.push(err82),errors++}if(data38.length<1){let err83={
instancePath:instancePath+"/messages/mark_as_read/"+i7,schemaPath:"#/properties/messages/properties/mark_as_read/anyOf/1\
/items/minLength",keyword:"minLength",params:{limit:1},message:"must NOT have fewer than 1 characters"};vErrors===null?vErrors=
[err83]:vErrors.push(err83),errors++}}else{let err84={instancePath:instancePath+"/messages/mark_as_read/"+i7,schemaPath:"\
#/properties/messages/properties/mark_as_read/anyOf/1/items/type",keyword:"type",params:{type:"string"},message:"must be\
 string"};vErrors===null?vErrors=[err84]:vErrors.push(err84),errors++}}let i8=data37.length,j3;if(i8>1){let indices3={};
for(;i8--;){let item3=data37[i8];if(typeof item3=="string"){if(typeof indices3[item3]=="number"){j3=indices3[item3];let err85={
instancePath:instancePath+"/messages/mark_as_read",schemaPath:"#/properties/messages/properties/mark_as_read/anyOf/1/uni\
queItems",keyword:"uniqueItems",params:{i:i8,j:j3},message:"must NOT have duplicate items (items ## "+j3+" and "+i8+" ar\
e identical)"};vErrors===null?vErrors=[err85]:vErrors.push(err85),errors++;break}indices3[item3]=i8}}}}else{let err86={instancePath:instancePath+
"/messages/mark_as_read",schemaPath:"#/properties/messages/properties/mark_as_read/anyOf/1/type",keyword:"type",params:{
type:"array"},message:"must be array"};vErrors===null?vErrors=[err86]:vErrors.push(err86),errors++}var _valid0=_errs89===
errors;if(valid26=valid26||_valid0,valid26)errors=_errs87,vErrors!==null&&(_errs87?vErrors.length=_errs87:vErrors=null);else{
let err87={instancePath:instancePath+"/messages/mark_as_read",schemaPath:"#/properties/messages/properties/mark_as_read/\
anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};vErrors===null?vErrors=[err87]:vErrors.push(err87),
errors++}}}else{let err88={instancePath:instancePath+"/messages",schemaPath:"#/properties/messages/type",keyword:"type",
params:{type:"object"},message:"must be object"};vErrors===null?vErrors=[err88]:vErrors.push(err88),errors++}}if(data.lifecycle!==
void 0&&func010.call(data,"lifecycle")){let data39=data.lifecycle;if(data39&&typeof data39=="object"&&!Array.isArray(data39)){
for(let key8 of Object.keys(data39))if(!(key8==="protect"||key8==="ignore_changes"||key8==="on_remove")){let err89={instancePath:instancePath+
"/lifecycle",schemaPath:"#/properties/lifecycle/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key8},
message:"must NOT have additional properties"};vErrors===null?vErrors=[err89]:vErrors.push(err89),errors++}if(data39.protect!==
void 0&&func010.call(data39,"protect")&&typeof data39.protect!="boolean"){let err90={instancePath:instancePath+"/lifecyc\
le/protect",schemaPath:"#/properties/lifecycle/properties/protect/type",keyword:"type",params:{type:"boolean"},message:"\
must be boolean"};vErrors===null?vErrors=[err90]:vErrors.push(err90),errors++}if(data39.ignore_changes!==void 0&&func010.
call(data39,"ignore_changes")){let data41=data39.ignore_changes;if(Array.isArray(data41)){let len5=data41.length;for(let i9=0;i9<
len5;i9++){let data42=data41[i9];if(!(data42==="name"||data42==="cover_url"||data42==="cover_file"||data42==="custom_typ\
e"||data42==="data"||data42==="is_ephemeral"||data42==="members"||data42==="members_mode"||data42==="operators"||data42===
"operators_mode"||data42==="is_distinct"||data42==="is_public"||data42==="is_super"||data42==="access_code"||data42==="i\
nviter_id"||data42==="strict"||data42==="block_sdk_user_channel_join"||data42==="frozen")){let err91={instancePath:instancePath+
"/lifecycle/ignore_changes/"+i9,schemaPath:"#/properties/lifecycle/properties/ignore_changes/items/enum",keyword:"enum",
params:{allowedValues:schema3110.properties.lifecycle.properties.ignore_changes.items.enum},message:"must be equal to on\
e of the allowed values"};vErrors===null?vErrors=[err91]:vErrors.push(err91),errors++}}let i10=data41.length,j4;if(i10>1){
outer0:for(;i10--;)for(j4=i10;j4--;)if(func277(data41[i10],data41[j4])){let err92={instancePath:instancePath+"/lifecycle\
/ignore_changes",schemaPath:"#/properties/lifecycle/properties/ignore_changes/uniqueItems",keyword:"uniqueItems",params:{
i:i10,j:j4},message:"must NOT have duplicate items (items ## "+j4+" and "+i10+" are identical)"};vErrors===null?vErrors=
[err92]:vErrors.push(err92),errors++;break outer0}}}else{let err93={instancePath:instancePath+"/lifecycle/ignore_changes",
schemaPath:"#/properties/lifecycle/properties/ignore_changes/type",keyword:"type",params:{type:"array"},message:"must be\
 array"};vErrors===null?vErrors=[err93]:vErrors.push(err93),errors++}}if(data39.on_remove!==void 0&&func010.call(data39,
"on_remove")){let data43=data39.on_remove;if(!(data43==="freeze"||data43==="delete"||data43==="forget")){let err94={instancePath:instancePath+
"/lifecycle/on_remove",schemaPath:"#/properties/lifecycle/properties/on_remove/enum",keyword:"enum",params:{allowedValues:schema3110.
properties.lifecycle.properties.on_remove.enum},message:"must be equal to one of the allowed values"};vErrors===null?vErrors=
[err94]:vErrors.push(err94),errors++}}}else{let err95={instancePath:instancePath+"/lifecycle",schemaPath:"#/properties/l\
ifecycle/type",keyword:"type",params:{type:"object"},message:"must be object"};vErrors===null?vErrors=[err95]:vErrors.push(
err95),errors++}}}else{let err96={instancePath,schemaPath:"#/type",keyword:"type",params:{type:"object"},message:"must b\
e object"};vErrors===null?vErrors=[err96]:vErrors.push(err96),errors++}return validate2013.errors=vErrors,errors===0}validate2013.
evaluated={props:!0,dynamicProps:!1,dynamicItems:!1};var messages_key_default=validate2014;var func604=require_ucs2length().default,pattern414=new RegExp("^[0-9A-Za-z_-]*$","u");function validate2014(data,{instancePath="",
parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){let vErrors=null,errors=0,evaluated0=validate2014.evaluated;
if(evaluated0.dynamicProps&&(evaluated0.props=void 0),evaluated0.dynamicItems&&(evaluated0.items=void 0),typeof data=="s\
tring"){if(data.length>100&&func604(data)>100){let err0={instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{
limit:100},message:"must NOT have more than 100 characters"};vErrors===null?vErrors=[err0]:vErrors.push(err0),errors++}if(func604(
data)<4){let err1={instancePath,schemaPath:"#/minLength",keyword:"minLength",params:{limit:4},message:"must NOT have few\
er than 4 characters"};vErrors===null?vErrors=[err1]:vErrors.push(err1),errors++}if(!pattern414.test(data)){let err2={instancePath,
schemaPath:"#/pattern",keyword:"pattern",params:{pattern:"^[0-9A-Za-z_-]*$"},message:'must match pattern "^[0-9A-Za-z_-]\
*$"'};vErrors===null?vErrors=[err2]:vErrors.push(err2),errors++}}else{let err3={instancePath,schemaPath:"#/type",keyword:"\
type",params:{type:"string"},message:"must be string"};vErrors===null?vErrors=[err3]:vErrors.push(err3),errors++}return validate2014.
errors=vErrors,errors===0}validate2014.evaluated={dynamicProps:!1,dynamicItems:!1};var messages_block_default=validate2015,schema3111={type:"object",properties:{channel:{enum:["open_channel","group_chann\
el"]},archive:{type:"object"},mark_as_read:{},lifecycle:{type:"object",properties:{protect:{type:"boolean"},ignore_changes:{
type:"array",items:{enum:["channel","archive","mark_as_read"]},uniqueItems:!0},on_remove:{enum:["forget"]}},additionalProperties:!1}},
additionalProperties:!1},func011=Object.prototype.hasOwnProperty,func278=require_equal().default;function validate2015(data,{
instancePath="",parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){let vErrors=null,errors=0,evaluated0=validate2015.
evaluated;if(evaluated0.dynamicProps&&(evaluated0.props=void 0),evaluated0.dynamicItems&&(evaluated0.items=void 0),data&&
typeof data=="object"&&!Array.isArray(data)){for(let key0 of Object.keys(data))if(!(key0==="channel"||key0==="archive"||
key0==="mark_as_read"||key0==="lifecycle")){let err0={instancePath,schemaPath:"#/additionalProperties",keyword:"addition\
alProperties",params:{additionalProperty:key0},message:"must NOT have additional properties"};vErrors===null?vErrors=[err0]:
vErrors.push(err0),errors++}if(data.channel!==void 0&&func011.call(data,"channel")){let data0=data.channel;if(!(data0===
"open_channel"||data0==="group_channel")){let err1={instancePath:instancePath+"/channel",schemaPath:"#/properties/channe\
l/enum",keyword:"enum",params:{allowedValues:schema3111.properties.channel.enum},message:"must be equal to one of the al\
lowed values"};vErrors===null?vErrors=[err1]:vErrors.push(err1),errors++}}if(data.archive!==void 0&&func011.call(data,"a\
rchive")){let data1=data.archive;if(!(data1&&typeof data1=="object"&&!Array.isArray(data1))){let err2={instancePath:instancePath+
"/archive",schemaPath:"#/properties/archive/type",keyword:"type",params:{type:"object"},message:"must be object"};vErrors===
null?vErrors=[err2]:vErrors.push(err2),errors++}}if(data.lifecycle!==void 0&&func011.call(data,"lifecycle")){let data2=data.
lifecycle;if(data2&&typeof data2=="object"&&!Array.isArray(data2)){for(let key1 of Object.keys(data2))if(!(key1==="prote\
ct"||key1==="ignore_changes"||key1==="on_remove")){let err3={instancePath:instancePath+"/lifecycle",schemaPath:"#/proper\
ties/lifecycle/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key1},message:"must NOT h\
ave additional properties"};vErrors===null?vErrors=[err3]:vErrors.push(err3),errors++}if(data2.protect!==void 0&&func011.
call(data2,"protect")&&typeof data2.protect!="boolean"){let err4={instancePath:instancePath+"/lifecycle/protect",schemaPath:"\
#/properties/lifecycle/properties/protect/type",keyword:"type",params:{type:"boolean"},message:"must be boolean"};vErrors===
null?vErrors=[err4]:vErrors.push(err4),errors++}if(data2.ignore_changes!==void 0&&func011.call(data2,"ignore_changes")){
let data4=data2.ignore_changes;if(Array.isArray(data4)){let len0=data4.length;for(let i0=0;i0<len0;i0++){let data5=data4[i0];
if(!(data5==="channel"||data5==="archive"||data5==="mark_as_read")){let err5={instancePath:instancePath+"/lifecycle/igno\
re_changes/"+i0,schemaPath:"#/properties/lifecycle/properties/ignore_changes/items/enum",keyword:"enum",params:{allowedValues:schema3111.
properties.lifecycle.properties.ignore_changes.items.enum},message:"must be equal to one of the allowed values"};vErrors===
null?vErrors=[err5]:vErrors.push(err5),errors++}}let i1=data4.length,j0;if(i1>1){outer0:for(;i1--;)for(j0=i1;j0--;)if(func278(
data4[i1],data4[j0])){let err6={instancePath:instancePath+"/lifecycle/ignore_changes",schemaPath:"#/properties/lifecycle\
/properties/ignore_changes/uniqueItems",keyword:"uniqueItems",params:{i:i1,j:j0},message:"must NOT have duplicate items \
(items ## "+j0+" and "+i1+" are identical)"};vErrors===null?vErrors=[err6]:vErrors.push(err6),errors++;break outer0}}}else{
let err7={instancePath:instancePath+"/lifecycle/ignore_changes",schemaPath:"#/properties/lifecycle/properties/ignore_cha\
nges/type",keyword:"type",params:{type:"array"},message:"must be array"};vErrors===null?vErrors=[err7]:vErrors.push(err7),
errors++}}if(data2.on_remove!==void 0&&func011.call(data2,"on_remove")&&data2.on_remove!=="forget"){let err8={instancePath:instancePath+
"/lifecycle/on_remove",schemaPath:"#/properties/lifecycle/properties/on_remove/enum",keyword:"enum",params:{allowedValues:schema3111.
properties.lifecycle.properties.on_remove.enum},message:"must be equal to one of the allowed values"};vErrors===null?vErrors=
[err8]:vErrors.push(err8),errors++}}else{let err9={instancePath:instancePath+"/lifecycle",schemaPath:"#/properties/lifec\
ycle/type",keyword:"type",params:{type:"object"},message:"must be object"};vErrors===null?vErrors=[err9]:vErrors.push(err9),
errors++}}}else{let err10={instancePath,schemaPath:"#/type",keyword:"type",params:{type:"object"},message:"must be objec\
t"};vErrors===null?vErrors=[err10]:vErrors.push(err10),errors++}return validate2015.errors=vErrors,errors===0}validate2015.
evaluated={props:!0,dynamicProps:!1,dynamicItems:!1};var messages_defaults_default=validate2016,schema3112={type:"object",properties:{channel:{enum:["open_channel","group_ch\
annel"]},archive:{type:"object"},mark_as_read:{},lifecycle:{type:"object",properties:{protect:{type:"boolean"},ignore_changes:{
type:"array",items:{enum:["channel","archive","mark_as_read"]},uniqueItems:!0},on_remove:{enum:["forget"]}},additionalProperties:!1}},
additionalProperties:!1},func012=Object.prototype.hasOwnProperty,func279=require_equal().default;function validate2016(data,{
instancePath="",parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){let vErrors=null,errors=0,evaluated0=validate2016.
evaluated;if(evaluated0.dynamicProps&&(evaluated0.props=void 0),evaluated0.dynamicItems&&(evaluated0.items=void 0),data&&
typeof data=="object"&&!Array.isArray(data)){for(let key0 of Object.keys(data))if(!(key0==="channel"||key0==="archive"||
key0==="mark_as_read"||key0==="lifecycle")){let err0={instancePath,schemaPath:"#/additionalProperties",keyword:"addition\
alProperties",params:{additionalProperty:key0},message:"must NOT have additional properties"};vErrors===null?vErrors=[err0]:
vErrors.push(err0),errors++}if(data.channel!==void 0&&func012.call(data,"channel")){let data0=data.channel;if(!(data0===
"open_channel"||data0==="group_channel")){let err1={instancePath:instancePath+"/channel",schemaPath:"#/properties/channe\
l/enum",keyword:"enum",params:{allowedValues:schema3112.properties.channel.enum},message:"must be equal to one of the al\
lowed values"};vErrors===null?vErrors=[err1]:vErrors.push(err1),errors++}}if(data.archive!==void 0&&func012.call(data,"a\
rchive")){let data1=data.archive;if(!(data1&&typeof data1=="object"&&!Array.isArray(data1))){let err2={instancePath:instancePath+
"/archive",schemaPath:"#/properties/archive/type",keyword:"type",params:{type:"object"},message:"must be object"};vErrors===
null?vErrors=[err2]:vErrors.push(err2),errors++}}if(data.lifecycle!==void 0&&func012.call(data,"lifecycle")){let data2=data.
lifecycle;if(data2&&typeof data2=="object"&&!Array.isArray(data2)){for(let key1 of Object.keys(data2))if(!(key1==="prote\
ct"||key1==="ignore_changes"||key1==="on_remove")){let err3={instancePath:instancePath+"/lifecycle",schemaPath:"#/proper\
ties/lifecycle/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key1},message:"must NOT h\
ave additional properties"};vErrors===null?vErrors=[err3]:vErrors.push(err3),errors++}if(data2.protect!==void 0&&func012.
call(data2,"protect")&&typeof data2.protect!="boolean"){let err4={instancePath:instancePath+"/lifecycle/protect",schemaPath:"\
#/properties/lifecycle/properties/protect/type",keyword:"type",params:{type:"boolean"},message:"must be boolean"};vErrors===
null?vErrors=[err4]:vErrors.push(err4),errors++}if(data2.ignore_changes!==void 0&&func012.call(data2,"ignore_changes")){
let data4=data2.ignore_changes;if(Array.isArray(data4)){let len0=data4.length;for(let i0=0;i0<len0;i0++){let data5=data4[i0];
if(!(data5==="channel"||data5==="archive"||data5==="mark_as_read")){let err5={instancePath:instancePath+"/lifecycle/igno\
re_changes/"+i0,schemaPath:"#/properties/lifecycle/properties/ignore_changes/items/enum",keyword:"enum",params:{allowedValues:schema3112.
properties.lifecycle.properties.ignore_changes.items.enum},message:"must be equal to one of the allowed values"};vErrors===
null?vErrors=[err5]:vErrors.push(err5),errors++}}let i1=data4.length,j0;if(i1>1){outer0:for(;i1--;)for(j0=i1;j0--;)if(func279(
data4[i1],data4[j0])){let err6={instancePath:instancePath+"/lifecycle/ignore_changes",schemaPath:"#/properties/lifecycle\
/properties/ignore_changes/uniqueItems",keyword:"uniqueItems",params:{i:i1,j:j0},message:"must NOT have duplicate items \
(items ## "+j0+" and "+i1+" are identical)"};vErrors===null?vErrors=[err6]:vErrors.push(err6),errors++;break outer0}}}else{
let err7={instancePath:instancePath+"/lifecycle/ignore_changes",schemaPath:"#/properties/lifecycle/properties/ignore_cha\
nges/type",keyword:"type",params:{type:"array"},message:"must be array"};vErrors===null?vErrors=[err7]:vErrors.push(err7),
errors++}}if(data2.on_remove!==void 0&&func012.call(data2,"on_remove")&&data2.on_remove!=="forget"){let err8={instancePath:instancePath+
"/lifecycle/on_remove",schemaPath:"#/properties/lifecycle/properties/on_remove/enum",keyword:"enum",params:{allowedValues:schema3112.
properties.lifecycle.properties.on_remove.enum},message:"must be equal to one of the allowed values"};vErrors===null?vErrors=
[err8]:vErrors.push(err8),errors++}}else{let err9={instancePath:instancePath+"/lifecycle",schemaPath:"#/properties/lifec\
ycle/type",keyword:"type",params:{type:"object"},message:"must be object"};vErrors===null?vErrors=[err9]:vErrors.push(err9),
errors++}}}else{let err10={instancePath,schemaPath:"#/type",keyword:"type",params:{type:"object"},message:"must be objec\
t"};vErrors===null?vErrors=[err10]:vErrors.push(err10),errors++}return validate2016.errors=vErrors,errors===0}validate2016.
evaluated={props:!0,dynamicProps:!1,dynamicItems:!1};var validators={outline:outline_default,line_MESG:line_MESG_default,line_FILE:line_FILE_default,line_ADMM:line_ADMM_default,
user_key:user_key_default,user_block:user_block_default,user_defaults:user_defaults_default,open_channel_key:open_channel_key_default,
open_channel_block:open_channel_block_default,open_channel_defaults:open_channel_defaults_default,group_channel_key:group_channel_key_default,
group_channel_block:group_channel_block_default,group_channel_defaults:group_channel_defaults_default,messages_key:messages_key_default,
messages_block:messages_block_default,messages_defaults:messages_defaults_default};export{validators};
